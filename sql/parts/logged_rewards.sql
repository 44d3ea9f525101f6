-- logged_rewards: sum of the logged rewards at the first k positions, each times the weight of its rank.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM($weight * reward), 0) AS logged_rewards
FROM logged_actions
WHERE rank <= $k
