-- weighted_rewards: sum of the logged rewards at the first k positions, each times its importance weight and the weight of its rank.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM($weighting * $weight * reward), 0) AS weighted_rewards
FROM action_weights
WHERE rank <= $k
