-- replace_infinity
SELECT NULLIF(x, CAST('Infinity' AS DOUBLE));

-- mysql, tsql
SELECT NULLIF(x, NULL);

-- sqlite
SELECT NULLIF(x, 9e999);
