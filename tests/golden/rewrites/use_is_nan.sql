-- use_is_nan
SELECT NULLIF(x, CAST('NaN' AS DOUBLE)), NULLIF(y, 0);

-- athena, bigquery, trino
SELECT CASE WHEN IS_NAN(x) THEN NULL ELSE x END, NULLIF(y, 0);

-- clickhouse
SELECT CASE WHEN isNaN(x) THEN NULL ELSE x END, nullIf(y, 0);
