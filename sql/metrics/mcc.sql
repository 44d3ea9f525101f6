-- mcc: Matthews correlation coefficient of being among the first k and being relevant, over the items of the catalogue.
--
-- The value is 0 if all items are among the first k, or if all items or no items are relevant.
-- A list counts as k items long, even if it holds fewer.
-- formula: \frac{|C| \sum_{i=1}^{k} \mathrm{hit}_i - k |R|}{\sqrt{k |R| (|C| - k) (|C| - |R|)}}
-- subject: classification
-- undefined: the catalogue has fewer than k items, or fewer items than are relevant.
-- cutoff: needed
-- range: [-1, 1] if the catalogue has at least k + relevant items
-- source: Matthews (1975), Comparison of the predicted and observed secondary structure of T4 phage lysozyme. doi:10.1016/0005-2795(75)90109-9
SELECT CASE
  WHEN n_catalog_items < $k OR n_catalog_items < n_relevant THEN NULL
  WHEN n_catalog_items = $k OR n_catalog_items = n_relevant OR n_relevant = 0 THEN CAST(0 AS DOUBLE)
  ELSE (CAST(n_hits AS DOUBLE) * n_catalog_items - CAST(n_relevant AS DOUBLE) * $k)
    / SQRT(CAST(n_relevant AS DOUBLE) * $k * (n_catalog_items - n_relevant) * (n_catalog_items - $k))
END AS mcc
FROM metrics
