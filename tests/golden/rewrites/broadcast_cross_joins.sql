-- broadcast_cross_joins
SELECT 1 FROM lists CROSS JOIN cutoffs;

-- databricks, spark
SELECT /*+ BROADCAST(`cutoffs`) */ 1
FROM lists
CROSS JOIN cutoffs;
