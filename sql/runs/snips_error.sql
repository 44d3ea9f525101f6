-- snips_error: standard error of snips by the delta method, each list a cluster; snips plus and minus 1.96 of it is an interval of 95%.
--
-- A sum of squares that is 0 but for rounding counts as 0.
-- formula: \frac{1}{\sum_{s \in S} \bar{\omega}} \sqrt{\frac{|S|}{|S| - 1} \sum_{s \in S} \left(\mathrm{ips} - \mathrm{snips} \cdot \bar{\omega}\right)^2}
-- undefined: the policy takes no logged action, or there is one list.
-- subject: log
-- better: lower
-- range: [0, inf)
-- source: A. Owen, "Monte Carlo theory, methods and examples" (2013), section 9.2.
SELECT SQRT(
  CASE
    WHEN SUM(ips * ips) - 2 * SUM(ips) / NULLIF(SUM(mean_importance), 0) * SUM(ips * mean_importance)
      + POWER(SUM(ips) / NULLIF(SUM(mean_importance), 0), 2) * SUM(mean_importance * mean_importance)
      <= 1e-13 * SUM(ips * ips) THEN 0
    ELSE SUM(ips * ips) - 2 * SUM(ips) / NULLIF(SUM(mean_importance), 0) * SUM(ips * mean_importance)
      + POWER(SUM(ips) / NULLIF(SUM(mean_importance), 0), 2) * SUM(mean_importance * mean_importance)
  END * COUNT(ips) / NULLIF(COUNT(ips) - 1, 0)
) / NULLIF(ABS(SUM(mean_importance)), 0) AS snips_error
FROM metrics
