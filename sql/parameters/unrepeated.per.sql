-- per: what is counted.
SELECT
  n_distinct_items / CAST(NULLIF(n_recommended, 0) AS DOUBLE) AS item, -- each recommendation: the share of them that do not repeat an item above them
  CASE WHEN n_recommended > 0 THEN CASE WHEN n_distinct_items = n_recommended THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END END AS list -- the whole list: 1 if it repeats no item, else 0
FROM metrics
