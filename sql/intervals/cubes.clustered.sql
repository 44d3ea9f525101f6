-- cubes: sum of the cubed deviations of the clusters from their size times the mean, for the skewness
SELECT
  SUM(CASE
    WHEN value IS NOT NULL
      THEN (total - size * center) * (total - size * center) * (total - size * center) / CAST(size AS DOUBLE)
  END) AS cubes
FROM (
  SELECT
    value,
    SUM(CAST(value AS DOUBLE)) OVER (PARTITION BY cluster_id) AS total,
    COUNT(value) OVER (PARTITION BY cluster_id) AS size,
    AVG(CAST(value AS DOUBLE)) OVER () AS center
  FROM per_list
) AS clusters
