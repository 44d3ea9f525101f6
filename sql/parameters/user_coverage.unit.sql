-- unit: how the lists are counted.
SELECT
  AVG(CASE WHEN n_recommended >= $least THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END) AS share, -- as a share of all that the mean is taken over
  COUNT(CASE WHEN n_recommended >= $least THEN 1 END) AS count -- as a number
FROM metrics
