-- sndr: expected reward of a policy, doubly robust and self-normalized: dm, plus the errors of the model divided by the mean importance weight.
--
-- formula: \frac{\sum_{s \in S} \mathrm{dm}}{|S|} + \frac{\sum_{s \in S} (\mathrm{dr} - \mathrm{dm})}{\sum_{s \in S} \bar{\omega}}
-- undefined: the policy takes no logged action.
-- subject: log
-- error: sndr_error
-- range: (-inf, inf)
-- source: N. Kallus, M. Uehara, "Intrinsically Efficient, Stable, and Bounded Off-Policy Evaluation for Reinforcement Learning" (2019), arXiv:1906.03735
SELECT AVG(dm) + SUM(dr - dm) / NULLIF(SUM(mean_importance), 0) AS sndr
FROM metrics
