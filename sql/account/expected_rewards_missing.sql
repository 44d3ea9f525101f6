-- expected_rewards_missing: recommendations whose expected reward is NULL, NaN or infinite
--
-- needs: expected_reward
-- shown: if any
SELECT COUNT(*) AS expected_rewards_missing
FROM recs_without_expected_reward
