-- effective_sample_size: number of impressions that would tell as much if all weights were equal: the squared sum of the weights, divided by the sum of their squares.
--
-- formula: \frac{\left(\sum_{s \in S} \sum_{v=1}^{V} \sum_{i=1}^{k} \omega_{vi}\right)^2}{\sum_{s \in S} \sum_{v=1}^{V} \sum_{i=1}^{k} \omega_{vi}^2} \cdot \frac{\sum_{s \in S} V}{\sum_{s \in S} \sum_{v=1}^{V} \sum_{i=1}^{k} 1}
-- undefined: the policy takes no logged action.
-- subject: log
-- range: [0, inf)
-- aliases: ess
-- source: A. Kong, "A note on importance sampling using standardized weights" (1992)
SELECT
  SUM(importances) * SUM(importances) / NULLIF(SUM(squared_importances), 0)
  * SUM(n_impressions_logged) / CAST(NULLIF(SUM(n_actions), 0) AS DOUBLE) AS effective_sample_size
FROM metrics
