-- mean_first_reward: mean reward of all actions in the first position.
--
-- range: (-inf, inf)
SELECT AVG(reward) AS mean_first_reward
FROM position_averages
WHERE rank = 1
