-- sndr_scale: sum of the squares of what each list adds to sndr. Influences that are small beside it are 0 but for rounding.
--
-- range: [0, inf)
SELECT SUM(dm * dm) / POWER(NULLIF(COUNT(dm), 0), 2)
  + SUM((dr - dm) * (dr - dm)) / POWER(NULLIF(SUM(mean_importance), 0), 2) AS sndr_scale
FROM metrics
