-- replace_infinity
SELECT NULLIF(x, CAST('Infinity' AS DOUBLE));

-- mysql, tsql
SELECT NULLIF(x, NULL);
