-- write_infinity_as_number
SELECT NULLIF(x, CAST('Infinity' AS DOUBLE));

-- sqlite
SELECT NULLIF(x, 9e999);
