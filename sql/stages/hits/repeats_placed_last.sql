-- repeats_placed_last: one row per hit of a score that has repeated hits, the hit with the fewest rows at the last rank.
--
-- So no order has a lower last hit, or a lower last hit but one, and so on.
-- rank: the rank that the hit has if no item is repeated. rank_of_first: the rank of its first row, above the rows of this hit
-- and of the hits below.
-- needs: repeats
SELECT
  list_id,
  last_rank + 1 - ROW_NUMBER() OVER (PARTITION BY list_id, last_rank ORDER BY n_rows, rank) AS rank,
  last_rank + 1 - SUM(n_rows) OVER (
    PARTITION BY list_id, last_rank ORDER BY n_rows NULLS FIRST, rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS rank_of_first
FROM hits_tied_with_repeats
