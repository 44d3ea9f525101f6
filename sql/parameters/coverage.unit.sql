-- unit: the unit of the result.
SELECT
  $counted / CAST(NULLIF(n_distinct_catalog_items, 0) AS DOUBLE) AS share, -- share of the items that could be recommended
  $counted AS count, -- number of items
  FLOOR(10000 * $counted / CAST(NULLIF(n_distinct_catalog_items, 0) AS DOUBLE) + CAST(0.5 AS DOUBLE)) / 100 AS percent -- percentage of the items that could be recommended, rounded to two decimals
FROM runs
