-- max_importance: largest importance weight of a logged action.
--
-- formula: \max_{s \in S} \max_{v, i \le k} \omega_{vi}
-- undefined: no list is in the log.
-- better: lower
-- subject: log
-- range: (-inf, inf)
-- source: L. Bottou et al., "Counterfactual Reasoning and Learning Systems" (2013), section 4.4, arXiv:1209.2355
SELECT MAX(largest_importance) AS max_importance
FROM metrics
