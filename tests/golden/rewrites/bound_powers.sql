-- bound_powers
SELECT POWER(0.85, x), POWER(2, x), EXP(x);

-- postgres, redshift
SELECT POWER(0.85, LEAST(x, 4356)), POWER(2, x), EXP(GREATEST(x, -708));
