-- compare_nan_both_ways
SELECT NULLIF(x, CAST('NaN' AS DOUBLE)), NULLIF(y, 0);

-- redshift
SELECT CASE WHEN x = x AND x <> CAST('NaN' AS DOUBLE PRECISION) THEN x END, NULLIF(y, 0);
