-- form: the scale.
SELECT
  satisfied_share AS share, -- share of the items that could be recommended
  (satisfied_share - longest / CAST(n_distinct_catalog_items AS DOUBLE)) / NULLIF(1 - longest / CAST(n_distinct_catalog_items AS DOUBLE), 0) AS corrected -- 0 if all lists are the same and recommendations are enough for all items, 1 if all items are satisfied (Rampisela et al. 2024)
FROM runs
