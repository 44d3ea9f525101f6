-- replace_nan_tests
SELECT NULLIF(x, CAST('NaN' AS DOUBLE)), NULLIF(y, 0);

-- athena, bigquery, trino
SELECT CASE WHEN IS_NAN(x) THEN NULL ELSE x END, NULLIF(y, 0);

-- clickhouse
SELECT CASE WHEN isNaN(x) THEN NULL ELSE x END, nullIf(y, 0);

-- mysql, sqlite, tsql
SELECT x, NULLIF(y, 0);

-- redshift
SELECT CASE WHEN x = x AND x <> CAST('NaN' AS DOUBLE PRECISION) THEN x END, NULLIF(y, 0);
