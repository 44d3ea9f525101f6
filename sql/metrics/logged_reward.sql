-- logged_reward: reward of the policy that was logged: what the log holds, without weights. It is the same for all systems.
--
-- formula: \frac{1}{V} \sum_{v=1}^{V} \sum_{i=1}^{k} \lambda_i y_{vi}
-- subject: log
-- undefined: the log does not have the list.
-- range: (-inf, inf)
-- aliases: on_policy_reward
-- source: the mean of a sample.
SELECT logged_rewards / CAST(NULLIF(n_impressions_logged, 0) AS DOUBLE) AS logged_reward
FROM metrics
