-- rewards_missing: Some rows of the log have no reward.
--
-- If nothing came of showing the item, the reward is 0: write it.
--
-- n: the rows.
-- needs: reward
-- samples: log log_without_reward
-- order: 20
-- say: {n: row of the log has; rows of the log have} no reward{in reward}, or a wrong one, such as {log}. A reward
--    is a number.
SELECT rewards_missing AS n
FROM account
WHERE rewards_missing > 0
