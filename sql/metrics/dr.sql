-- dr: expected reward of a policy, doubly robust: the direct method, plus the weighted errors of its model on the logged actions.
--
-- Right on average if the propensities are right, or the model. With weighting=switched it is SWITCH-DR, with weighting=shrunk DRos.
-- formula: \mathrm{dm} + \frac{1}{V} \sum_{v=1}^{V} \sum_{i=1}^{k} \omega_{vi} \lambda_i \left(y_{vi} - \hat{q}_i(a_{vi})\right)
-- subject: log
-- undefined: the log does not have the list.
-- range: (-inf, inf)
-- aliases: doubly_robust
-- source: M. Dudík, J. Langford, L. Li, "Doubly Robust Policy Evaluation and Learning" (2011), arXiv:1103.4601; Y.-X. Wang, A. Agarwal, M. Dudík, "Optimal and Adaptive Off-policy Evaluation in Contextual Bandits" (2017), arXiv:1612.01205; Y. Su et al., "Doubly robust off-policy evaluation with shrinkage" (2020), arXiv:1907.09623
SELECT (modelled_rewards + weighted_residuals) / CAST(NULLIF(n_impressions_logged, 0) AS DOUBLE) AS dr
FROM metrics
