-- effective_lists: number of independent lists with values 0 or 1 of the same mean whose mean would have the same error as that of lists in clusters
--
-- Few clusters of skewed values show too small an error. So the squared error is moved toward that of clusters of equal
-- values 0 or 1 by 1.5 times the skewness. If all values are equal, it is that error.
-- source: Korn, Graubard (1998), Confidence intervals for proportions with small expected number of positive counts estimated from survey data. Survey Methodology 24(2)
SELECT
  CASE
    WHEN error > CAST(1e-9 AS DOUBLE) * ABS(mean) AND mean > 0 AND mean < 1
      THEN mean * (1 - mean) / (
        error * error
        + GREATEST(mean * (1 - mean) * concentration - error * error, CAST(0 AS DOUBLE))
        * LEAST(CAST(1.5 AS DOUBLE) * skewness, CAST(1 AS DOUBLE))
      )
    ELSE 1 / concentration
  END AS effective_lists
FROM intervals
