-- replay_error: standard error of replay by the delta method, each list a cluster; replay plus and minus 1.96 of it is an interval of 95%.
--
-- A sum of squares that is 0 but for rounding counts as 0.
-- formula: \frac{1}{\sum_{s \in S} m_s} \sqrt{\frac{|S|}{|S| - 1} \sum_{s \in S} \left(e_s - \mathrm{replay} \cdot m_s\right)^2}
-- undefined: the policy takes no logged action, or there is one list.
-- subject: log
-- better: lower
-- range: [0, inf)
-- source: A. Owen, "Monte Carlo theory, methods and examples" (2013), section 9.2.
SELECT SQRT(
  CASE
    WHEN SUM(matched_rewards * matched_rewards) - 2 * SUM(matched_rewards) / NULLIF(SUM(matches), 0) * SUM(matched_rewards * matches)
      + POWER(SUM(matched_rewards) / NULLIF(SUM(matches), 0), 2) * SUM(matches * matches)
      <= 1e-13 * SUM(matched_rewards * matched_rewards) THEN 0
    ELSE SUM(matched_rewards * matched_rewards) - 2 * SUM(matched_rewards) / NULLIF(SUM(matches), 0) * SUM(matched_rewards * matches)
      + POWER(SUM(matched_rewards) / NULLIF(SUM(matches), 0), 2) * SUM(matches * matches)
  END * COUNT(matched_rewards) / NULLIF(COUNT(matched_rewards) - 1, 0)
) / NULLIF(SUM(matches), 0) AS replay_error
FROM metrics
