-- student: quantile of Student's t distribution for the confidence, with the degrees of freedom of the lists (or clusters), by its expansion around the normal quantile; NULL for fewer lists than a sign test needs to reject at 1 - confidence: 6 for 0.95
--
-- The error is at most 2e-4 of the quantile, and 1e-6 from 14 lists on.
-- source: Abramowitz, Stegun (1964), Handbook of Mathematical Functions, 26.7.5
SELECT
  CASE
    WHEN n_clusters >= $least
      THEN $normal + ($t1 + ($t2 + ($t3 + $t4 / (n_clusters - CAST(1 AS DOUBLE))) / (n_clusters - CAST(1 AS DOUBLE)))
        / (n_clusters - CAST(1 AS DOUBLE))) / (n_clusters - CAST(1 AS DOUBLE))
  END AS student
FROM intervals
