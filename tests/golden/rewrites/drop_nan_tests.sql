-- drop_nan_tests
SELECT NULLIF(x, CAST('NaN' AS DOUBLE)), NULLIF(y, 0);

-- mysql, sqlite, tsql
SELECT x, NULLIF(y, 0);
