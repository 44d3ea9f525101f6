-- repeated_hit_chances: one row per rank of a score that has repeated hits, over all orders of equal scores.
--
-- n_rows: the rows of hits with the score. chance: the share of the orders in which the rank holds the first row of a hit.
-- n_hits_between: the mean number of hits between the first rank of the score and this rank, over these orders.
-- needs: repeats
SELECT
  list_id, rank,
  SUM(n_hits * n_rows) AS n_rows,
  SUM(n_hits * chance) AS chance,
  SUM(n_hits) - 1 - SUM(n_pairs * chance) / NULLIF(SUM(n_hits * chance), 0) AS n_hits_between
FROM first_row_chances
GROUP BY list_id, rank
