-- mean_importance: mean importance weight of the logged actions. Its mean over the lists is near 1 if the propensities are right, and the policy takes no action that the log cannot have.
--
-- formula: \frac{\sum_{v=1}^{V} \sum_{i=1}^{k} \omega_{vi}}{\sum_{v=1}^{V} \sum_{i=1}^{k} 1}
-- subject: log
-- undefined: the log does not have the list.
-- better: neither
-- range: (-inf, inf)
-- source: L. Bottou et al., "Counterfactual Reasoning and Learning Systems" (2013), section 4.4, arXiv:1209.2355
SELECT importances / CAST(NULLIF(n_actions, 0) AS DOUBLE) AS mean_importance
FROM metrics
