-- hits: effective number of lists with the value 1
SELECT CASE WHEN mean > CAST(1e-12 AS DOUBLE) THEN mean * effective_lists ELSE CAST(0 AS DOUBLE) END AS hits
FROM intervals
