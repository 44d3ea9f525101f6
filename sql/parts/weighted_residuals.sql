-- weighted_residuals: sum of the logged rewards minus the expected rewards of the same actions at the first k positions, each times its importance weight and the weight of its rank.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM($weighting * $weight * (reward - expected_reward)), 0) AS weighted_residuals
FROM modelled_actions
WHERE rank <= $k
