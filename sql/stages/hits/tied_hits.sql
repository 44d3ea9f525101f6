-- tied_hits: one row per hit and rank of an item with the same score.
--
-- chance: the share of the orders in which the rank holds the hit: 1 / the number of these ranks, if the item is not repeated.
-- position: equal to rank. A cutoff limits position and leaves rank alone. So a hit below the cutoff still counts if an
-- item above the cutoff has the same score.
SELECT
  hits_in_ties.list_id, hits_in_ties.rating, tied_ranks.rank, tied_ranks.rank AS position,
  COALESCE(first_row_chances.chance, CAST(1 AS DOUBLE) / (hits_in_ties.last_rank - hits_in_ties.first_rank + 1)) AS chance
FROM hits_in_ties
JOIN tied_ranks ON hits_in_ties.list_id = tied_ranks.list_id AND hits_in_ties.first_rank = tied_ranks.first_rank
LEFT JOIN hits_tied_with_repeats
  ON hits_in_ties.list_id = hits_tied_with_repeats.list_id AND hits_in_ties.item = hits_tied_with_repeats.item
LEFT JOIN first_row_chances
  ON hits_tied_with_repeats.list_id = first_row_chances.list_id
  AND hits_tied_with_repeats.n_rows = first_row_chances.n_rows
  AND tied_ranks.rank = first_row_chances.rank
