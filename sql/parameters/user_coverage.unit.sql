-- unit: the unit of the result.
SELECT
  AVG(CASE WHEN n_recommended >= $least THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END) AS share, -- share of the lists that the means are taken over
  COUNT(CASE WHEN n_recommended >= $least THEN 1 END) AS count -- number of lists
FROM metrics
