-- unit: the unit of the result.
SELECT
  $counted / CAST(NULLIF(n_distinct_catalog_items, 0) AS DOUBLE) AS share, -- share of the items that could be recommended
  $counted AS count, -- number of items
  FLOOR(10000 * $counted / CAST(NULLIF(n_distinct_catalog_items, 0) AS DOUBLE) + CAST(0.5 AS DOUBLE)) / 100 AS percent, -- percentage of the items that could be recommended, rounded to two decimals
  ($counted - longest) / CAST(NULLIF(LEAST(n_impressions, n_distinct_catalog_items) - longest, 0) AS DOUBLE) AS corrected -- 0 if all lists are the same, 1 if no more items can be in lists of this length (Rampisela et al. 2024)
FROM runs
