-- ci_low: lower bound of the confidence interval of the mean of values from 0 to 1, and 1 minus the upper bound of 1 minus the values: that of Wilson's score interval, or of Clopper and Pearson's if it is lower
--
-- Wilson's interval is too short where few lists have a 0 or a 1. So Clopper and Pearson's bound, the quantile of a beta
-- distribution, is taken at three quarters of the way from the one-sided to the two-sided quantile, by Wilson and
-- Hilferty's approximation. docs/intervals.md has the share of intervals that contain the mean.
-- source: Wilson (1927), Probable inference, the law of succession, and statistical inference. doi:10.2307/2276774; Clopper, Pearson (1934), doi:10.1093/biomet/26.4.404; Paulson (1942), doi:10.1214/aoms/1177731608
SELECT
  CASE WHEN quantile IS NOT NULL THEN LEAST(
    CASE
      WHEN hits = 0 THEN CAST(0 AS DOUBLE)
      ELSE (
        hits + quantile * quantile / 2 - quantile * SQRT(hits * misses / effective_lists + quantile * quantile / 4)
      ) / (effective_lists + quantile * quantile)
    END,
    CASE
      WHEN hits = 0 OR misses = 0 THEN CAST(1 AS DOUBLE)
      WHEN 9 * hits > 1
        AND POWER(9 * hits - 1, 2) > POWER($share_of_quantile * quantile, 2) * 9 * hits
        AND POWER(9 * misses + 8, 2) > POWER($share_of_quantile * quantile, 2) * (9 * misses + 9)
        THEN 1 / (1 + (misses + 1) / hits * POWER(
          9 * hits * (POWER(9 * misses + 8, 2) - POWER($share_of_quantile * quantile, 2) * (9 * misses + 9))
          / ((9 * misses + 9) * (
            (9 * hits - 1) * (9 * misses + 8)
            - $share_of_quantile * quantile * SQRT(GREATEST(
              9 * hits * POWER(9 * misses + 8, 2) + (9 * misses + 9) * POWER(9 * hits - 1, 2)
              - POWER($share_of_quantile * quantile, 2) * 9 * hits * (9 * misses + 9), CAST(0 AS DOUBLE)
            ))
          )), 3
        ))
      ELSE CAST(0 AS DOUBLE)
    END
  ) END AS ci_low
FROM intervals
