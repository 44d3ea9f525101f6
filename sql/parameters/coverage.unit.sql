-- unit: how the items are counted.
SELECT
  $counted / CAST(NULLIF(n_distinct_catalog_items, 0) AS DOUBLE) AS share, -- as a share of those that could be recommended
  $counted AS count, -- as a number
  FLOOR(10000 * $counted / CAST(NULLIF(n_distinct_catalog_items, 0) AS DOUBLE) + CAST(0.5 AS DOUBLE)) / 100 AS percent -- as a share in percent, rounded to two places
FROM runs
