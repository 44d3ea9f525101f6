-- quantile: quantile of the mean of values from 0 to 1: Student's, or the normal quantile if all values are 0 or 1
--
-- The mean of such values tells their variance, so it is not estimated: only they have the variance mean * (1 - mean).
SELECT
  CASE
    WHEN error * error * (n_values - 1) < mean * (1 - mean) * CAST(0.999999999 AS DOUBLE) THEN student
    WHEN student IS NOT NULL THEN $normal
  END AS quantile
FROM intervals
