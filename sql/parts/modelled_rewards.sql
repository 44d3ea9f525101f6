-- modelled_rewards: sum of the rewards that a model expects of the policy at the first k logged positions, each times the weight of its rank.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM($weight * policy_reward), 0) AS modelled_rewards
FROM modelled_positions
WHERE rank <= $k
