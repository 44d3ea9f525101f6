-- sndr_error: standard error of sndr by the delta method, each list a cluster; sndr plus and minus 1.96 of it is an interval of 95%.
--
-- A sum of squares that is 0 but for rounding counts as 0.
-- formula: \sqrt{\frac{|S|}{|S| - 1} \sum_{s \in S} \left(\frac{\mathrm{dm} - \overline{\mathrm{dm}}}{|S|} + \frac{\mathrm{dr} - \mathrm{dm} - \delta \bar{\omega}}{\sum_{s \in S} \bar{\omega}}\right)^2}
-- undefined: the policy takes no logged action, or there is one list.
-- subject: log
-- better: lower
-- range: [0, inf)
-- source: A. Owen, "Monte Carlo theory, methods and examples" (2013), section 9.2.
SELECT SQRT(
  CASE WHEN sndr_influences <= 1e-13 * sndr_scale THEN CAST(0 AS DOUBLE) ELSE sndr_influences END
  * n_estimated / CAST(NULLIF(n_estimated - 1, 0) AS DOUBLE)
) AS sndr_error
FROM runs
