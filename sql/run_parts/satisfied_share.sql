-- satisfied_share: share of the items of the catalogue that have at least as many impressions as if all had the same number, rounded down.
--
-- range: [0, inf)
SELECT
  CASE
    WHEN impressions_per_item < 1 THEN CAST(1 AS DOUBLE)
    WHEN impressions_per_item >= 1 THEN n_satisfied / CAST(n_distinct_catalog_items AS DOUBLE)
  END AS satisfied_share
FROM runs
