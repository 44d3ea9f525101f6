-- matched_rewards: sum of the logged rewards at the first k positions, each times the probability of its action under the policy and the weight of its rank.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM(probability * $weight * reward), 0) AS matched_rewards
FROM logged_actions
WHERE rank <= $k
