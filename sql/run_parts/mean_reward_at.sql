-- mean_reward_at: mean reward of all actions at position k.
--
-- range: (-inf, inf)
SELECT AVG(reward) AS mean_reward_at
FROM position_averages
WHERE rank = $k
