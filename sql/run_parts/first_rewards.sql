-- first_rewards: sum of the mean rewards in the first position, of items that the same list was also shown at position k.
--
-- range: (-inf, inf)
SELECT SUM(first_reward) AS first_rewards
FROM swapped_rewards
WHERE rank = $k
