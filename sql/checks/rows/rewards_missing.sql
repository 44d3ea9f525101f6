-- rewards_missing: Some rows of the log have no reward.
--
-- If nothing came of showing the item, the reward is 0: write it.
--
-- rows: rows of the log whose reward is NULL, NaN or infinite
-- of: log
-- needs: reward
-- order: 20
-- say: {n: row of the log has; rows of the log have} no reward{in reward}, or a wrong one, such as {log}. A reward
--    is a number.
SELECT log_id, item
FROM log
WHERE log_id IS NOT NULL AND item IS NOT NULL AND (reward IS NULL OR ABS(reward) = CAST('Infinity' AS DOUBLE))
