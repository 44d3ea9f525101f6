-- expected_rewards_missing: Some recommendations have no expected reward.
--
-- n: the rows.
-- needs: expected_reward
-- samples: recs recs_without_expected_reward
SELECT expected_rewards_missing AS n
FROM account
WHERE expected_rewards_missing > 0
