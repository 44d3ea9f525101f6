-- effective_lists: number of lists with values 0 or 1 of the same mean whose mean would have the same error; the number of lists if all values are 0 or 1, or if all are equal
--
-- Few lists of skewed values show too small an error. So the squared error is moved toward that of values 0 or 1, the
-- largest that values from 0 to 1 can have, by 1.5 times the skewness.
-- source: Korn, Graubard (1998), Confidence intervals for proportions with small expected number of positive counts estimated from survey data. Survey Methodology 24(2)
SELECT
  CASE
    WHEN error > CAST(1e-9 AS DOUBLE) * ABS(mean) AND error * error * (n_values - 1) < mean * (1 - mean) * CAST(0.999999999 AS DOUBLE)
      THEN mean * (1 - mean) / (
        error * error
        + GREATEST(mean * (1 - mean) * concentration - error * error, CAST(0 AS DOUBLE))
        * LEAST(CAST(1.5 AS DOUBLE) * skewness, CAST(1 AS DOUBLE))
      )
    ELSE 1 / concentration
  END AS effective_lists
FROM intervals
