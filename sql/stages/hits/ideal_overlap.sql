-- ideal_overlap: one row per list and depth down to the end of the list or of its ideal list, with counts of items above.
--
-- n_shared: the items that both lists have down to this rank. n_ideal: the items of the ideal list down to this rank.
SELECT
  list_id, rank, n_ideal,
  SUM(n_new) OVER (PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n_shared
FROM ideal_depths
