-- cascade_dr: expected reward of a policy, doubly robust for readers who go down the list: a reward depends on the actions down to it.
--
-- The expected reward of an action is here that of its position and of all positions below, weighted as the rewards are.
-- formula: \frac{1}{V} \sum_{v=1}^{V} \sum_{i=1}^{k} \left(\omega_{v,i-1} \sum_{x} \pi_i(x) \hat{q}_i(x) + \omega_{v,i} \left(\lambda_i y_{vi} - \hat{q}_i(a_{vi})\right)\right)
-- subject: log
-- undefined: the log does not have the list.
-- range: (-inf, inf)
-- source: H. Kiyohara et al., "Doubly Robust Off-Policy Evaluation for Ranking Policies under the Cascade Behavior Model" (2022), doi:10.1145/3488560.3498380
SELECT cascade_rewards / CAST(NULLIF(n_impressions_logged, 0) AS DOUBLE) AS cascade_dr
FROM metrics
