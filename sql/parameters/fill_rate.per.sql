-- per: what is counted.
SELECT
  LEAST(n_recommended, $k) / CAST($k AS DOUBLE) AS position, -- each position: the share of the k positions that hold a recommendation
  CASE WHEN n_recommended >= $k THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END AS list -- the whole list: 1 if it has k recommendations, else 0
FROM metrics
