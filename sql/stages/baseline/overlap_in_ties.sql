-- overlap_in_ties: one row per list and item that its baseline has too, with the first and the last rank of its score in both.
--
-- depth: whole lists
SELECT
  recommended.list_id, recommended.item,
  MIN(tied_ranks.first_rank) AS first_rank,
  MIN(tied_ranks.last_rank) AS last_rank,
  MIN(baseline_tied_ranks.first_rank) AS baseline_first_rank,
  MIN(baseline_tied_ranks.last_rank) AS baseline_last_rank
FROM recommended
JOIN tied_ranks ON recommended.list_id = tied_ranks.list_id AND recommended.rank = tied_ranks.rank
JOIN baseline_tied_ranks
  ON recommended.baseline_id = baseline_tied_ranks.baseline_id AND recommended.item = baseline_tied_ranks.item
GROUP BY recommended.list_id, recommended.item
