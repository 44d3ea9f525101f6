-- ci_high: upper bound of the confidence interval of the mean of values from 0 to 1: 1 minus the bound `ci_low` of 1 minus the values
SELECT
  CASE WHEN quantile IS NOT NULL THEN 1 - LEAST(
    CASE
      WHEN misses = 0 THEN CAST(0 AS DOUBLE)
      ELSE (
        misses + quantile * quantile / 2 - quantile * SQRT(misses * hits / effective_lists + quantile * quantile / 4)
      ) / (effective_lists + quantile * quantile)
    END,
    CASE
      WHEN misses = 0 OR hits = 0 THEN CAST(1 AS DOUBLE)
      WHEN 9 * misses > 1
        AND POWER(9 * misses - 1, 2) > POWER($share_of_quantile * quantile, 2) * 9 * misses
        AND POWER(9 * hits + 8, 2) > POWER($share_of_quantile * quantile, 2) * (9 * hits + 9)
        THEN 1 / (1 + (hits + 1) / misses * POWER(
          9 * misses * (POWER(9 * hits + 8, 2) - POWER($share_of_quantile * quantile, 2) * (9 * hits + 9))
          / ((9 * hits + 9) * (
            (9 * misses - 1) * (9 * hits + 8)
            - $share_of_quantile * quantile * SQRT(GREATEST(
              9 * misses * POWER(9 * hits + 8, 2) + (9 * hits + 9) * POWER(9 * misses - 1, 2)
              - POWER($share_of_quantile * quantile, 2) * 9 * misses * (9 * hits + 9), CAST(0 AS DOUBLE)
            ))
          )), 3
        ))
      ELSE CAST(0 AS DOUBLE)
    END
  ) END AS ci_high
FROM intervals
