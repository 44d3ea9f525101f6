-- exposure_variance: AI-D: variance of the exposure of items among the first k recommendations of all lists, as the mean exposure of an item in a list.
--
-- Items that are never recommended count with exposure 0, unless among=recommended. It is the square of the mean exposure,
-- times 1 / jain - 1.
-- formula: \frac{1}{|C|} \sum_{r=1}^{|C|} \left(\frac{e_{(r)}}{|S|}\right)^2 - \left(\frac{1}{|C|} \sum_{r=1}^{|C|} \frac{e_{(r)}}{|S|}\right)^2
-- undefined: no list has recommendations.
-- better: lower
-- range: [0, inf)
-- aliases: ai_d
-- source: Wu, Mitra, Ma, Diaz, Liu (2022), Joint multisided exposure fairness for recommendation. doi:10.1145/3477495.3532007
SELECT
  GREATEST(squared_exposure / NULLIF($among, 0) - POWER(exposure / NULLIF($among, 0), 2), 0)
    / NULLIF(POWER(n_nonempty_lists, 2), 0) AS exposure_variance
FROM runs
