-- sndr_influences: sum of the squares of how much more each list adds to sndr than a mean list adds.
--
-- range: (-inf, inf)
SELECT (SUM(dm * dm) / COUNT(dm) - POWER(AVG(dm), 2)) / COUNT(dm)
  + (
    SUM((dr - dm) * (dr - dm))
    - 2 * SUM(dr - dm) / NULLIF(SUM(mean_importance), 0) * SUM((dr - dm) * mean_importance)
    + POWER(SUM(dr - dm) / NULLIF(SUM(mean_importance), 0), 2) * SUM(mean_importance * mean_importance)
  ) / POWER(NULLIF(SUM(mean_importance), 0), 2)
  + 2 * (SUM(dm * (dr - dm)) - SUM(dr - dm) / NULLIF(SUM(mean_importance), 0) * SUM(dm * mean_importance))
    / (COUNT(dm) * NULLIF(SUM(mean_importance), 0)) AS sndr_influences
FROM metrics
