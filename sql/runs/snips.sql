-- snips: expected reward of a policy by self-normalized inverse propensity scoring: ips, divided by the mean importance weight.
--
-- Rewards that are all raised by 1 raise it by the number of positions, which ips does not promise. Each list weighs alike.
-- formula: \frac{\sum_{s \in S} \mathrm{ips}}{\sum_{s \in S} \bar{\omega}}
-- undefined: the policy takes no logged action.
-- subject: log
-- error: snips_error
-- range: (-inf, inf)
-- aliases: self_normalized_ips, snipw
-- source: A. Swaminathan, T. Joachims, "The Self-Normalized Estimator for Counterfactual Learning" (2015)
SELECT SUM(ips) / NULLIF(SUM(mean_importance), 0) AS snips
FROM metrics
