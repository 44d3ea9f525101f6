-- log_without_reward: the rows of the log whose reward is NULL or infinite.
SELECT log_id, item
FROM log
WHERE log_id IS NOT NULL AND item IS NOT NULL AND (reward IS NULL OR ABS(reward) = CAST('Infinity' AS DOUBLE))
