-- name_powers
SELECT POW(2, POW(x, 3));

-- datafusion, postgres, redshift
SELECT POWER(2, POWER(x, 3));
