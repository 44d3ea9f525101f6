-- rewarded: one row per action of the log, with its reward. Rows with a NULL id are left out.
--
-- rank: the position; 1 where the log has no positions.
SELECT log_id, item, COALESCE(position, 1) AS rank, reward
FROM log
WHERE log_id IS NOT NULL AND item IS NOT NULL
