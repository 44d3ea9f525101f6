-- logged: one row per action of the log: an item that was shown to a list, at a position. Rows with a NULL id are left out.
--
-- rank: the position; 1 where the log has no positions.
SELECT log_id, impression_id, item, COALESCE(position, 1) AS rank, reward, propensity
FROM log
WHERE log_id IS NOT NULL AND item IS NOT NULL
