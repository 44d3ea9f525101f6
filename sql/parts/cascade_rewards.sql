-- cascade_rewards: sum, over the first k positions, of the expected rewards of the policy from there on, weighted by the actions above, and of the weighted errors of the model.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM(importance_above * policy_reward + importance_down * ($weight * reward - expected_reward)), 0) AS cascade_rewards
FROM modelled_cascades
WHERE rank <= $k
