-- rewards_at: sum of the mean rewards at position k, of items that the same list was also shown in the first position.
--
-- range: (-inf, inf)
SELECT SUM(reward) AS rewards_at
FROM swapped_rewards
WHERE rank = $k
