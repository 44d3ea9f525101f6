-- exposure_variance: AI-D: variance, over the items, of the mean exposure that a list gives an item among its first k recommendations.
--
-- Items that are never recommended count with exposure 0, unless among=recommended. It is the square of the mean exposure,
-- times 1 / jain - 1. The variance within each
-- list (II-D) is left out: it is the same for every system whose lists have k items.
-- subject: fairness
-- formula: \frac{1}{|C|} \sum_{r=1}^{|C|} \left(\frac{e_{(r)}}{|S|}\right)^2 - \left(\frac{1}{|C|} \sum_{r=1}^{|C|} \frac{e_{(r)}}{|S|}\right)^2
-- undefined: no list has recommendations.
-- better: lower
-- range: [0, inf)
-- aliases: ai_d
-- source: Wu, Mitra, Ma, Diaz, Liu (2022), Joint multisided exposure fairness for recommendation. doi:10.1145/3477495.3532007
SELECT
  CASE WHEN squared_exposure IS NOT NULL THEN GREATEST($among * squared_exposure - exposure * exposure, 0) END
  / NULLIF(POWER(CAST($among AS DOUBLE) * n_nonempty_lists, 2), 0) AS exposure_variance
FROM runs
