-- misses: effective number of lists with the value 0
SELECT CASE WHEN 1 - mean > CAST(1e-12 AS DOUBLE) THEN (1 - mean) * effective_lists ELSE CAST(0 AS DOUBLE) END AS misses
FROM intervals
