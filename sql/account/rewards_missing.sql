-- rewards_missing: rows of the log whose reward is NULL, NaN or infinite
--
-- needs: reward
-- shown: if any
SELECT COUNT(*) AS rewards_missing
FROM log_without_reward
