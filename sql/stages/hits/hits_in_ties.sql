-- hits_in_ties: one row per hit, with the first and the last rank of the items that have the same score.
--
-- depth: whole lists
SELECT
  unnumbered_hits.list_id, unnumbered_hits.item, unnumbered_hits.rating, unnumbered_hits.times,
  unnumbered_hits.rank, unnumbered_hits.worst_rank,
  tied_ranks.first_rank, tied_ranks.last_rank
FROM unnumbered_hits
JOIN tied_ranks ON unnumbered_hits.list_id = tied_ranks.list_id AND unnumbered_hits.rank = tied_ranks.rank
