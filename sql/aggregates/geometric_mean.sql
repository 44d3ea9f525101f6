-- geometric_mean: geometric mean over the lists for which the metric is defined; a value below 0.00001 counts as 0.00001
SELECT EXP(AVG(CASE WHEN value > 0.00001 THEN LN(CAST(value AS DOUBLE)) WHEN value IS NOT NULL THEN LN(CAST(0.00001 AS DOUBLE)) END)) AS geometric_mean
FROM per_list
