-- dm: expected reward of a policy by the direct method: the rewards that a model expects of its actions, at the positions of the log.
--
-- The log says only how many positions a list has. So the number is as good as the model.
-- formula: \frac{1}{V} \sum_{v=1}^{V} \sum_{i=1}^{k} \lambda_i \sum_{x} \pi_i(x) \hat{q}_i(x)
-- subject: log
-- undefined: the log does not have the list.
-- range: (-inf, inf)
-- aliases: direct_method
-- source: A. Beygelzimer, J. Langford, "The offset tree for learning with partial labels" (2009), doi:10.1145/1557019.1557040
SELECT modelled_rewards / CAST(NULLIF(n_impressions_logged, 0) AS DOUBLE) AS dm
FROM metrics
