-- partition_by_text
SELECT SUM(y) OVER (PARTITION BY a, score);

-- bigquery
SELECT SUM(y) OVER (PARTITION BY a, CAST(score AS STRING));
