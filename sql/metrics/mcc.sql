-- mcc: Matthews correlation coefficient: how being among the first k places correlates with being relevant; 0 where either is so for all items or for none.
--
-- The list is taken to fill all k places.
-- undefined: fewer than k items could be recommended, or fewer than are relevant.
-- cutoff: needed
-- range: [-1, 1] where k + relevant items could be recommended
-- source: Matthews (1975), Comparison of the predicted and observed secondary structure of T4 phage lysozyme. doi:10.1016/0005-2795(75)90109-9
SELECT CASE
  WHEN n_catalog_items < $k OR n_catalog_items < n_relevant THEN NULL
  WHEN n_catalog_items = $k OR n_catalog_items = n_relevant OR n_relevant = 0 THEN CAST(0 AS DOUBLE)
  ELSE (CAST(n_hits AS DOUBLE) * n_catalog_items - CAST(n_relevant AS DOUBLE) * $k)
    / SQRT(CAST(n_relevant AS DOUBLE) * $k * (n_catalog_items - n_relevant) * (n_catalog_items - $k))
END AS mcc
FROM metrics
