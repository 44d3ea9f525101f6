-- cast_powers
SELECT POWER(2, x);

-- tsql
SELECT POWER(CAST(2 AS FLOAT), x);
