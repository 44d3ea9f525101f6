-- coalesce_extremes
SELECT LEAST(a, b), GREATEST(a, b), GREATEST(1, 2);

-- athena, bigquery, clickhouse, mysql, trino
SELECT COALESCE(LEAST(a, b), a, b), COALESCE(GREATEST(a, b), a, b), GREATEST(1, 2);

-- sqlite
SELECT COALESCE(MIN(a, b), a, b), COALESCE(MAX(a, b), a, b), MAX(COALESCE(1, 2), COALESCE(2, 1));
