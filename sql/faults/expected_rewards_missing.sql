-- expected_rewards_missing: Some recommendations have no expected reward.
--
-- A model must expect something of every item that the policy may show: fill the column, or leave it out and use
-- metrics without a model, such as `ips`.
--
-- n: the rows.
-- needs: expected_reward
-- samples: recs recs_without_expected_reward
-- order: 22
-- say: {n: recommendation has; recommendations have} no expected reward{in expected_reward}, or a wrong one, such
--    as {recs}. An expected reward is a number.
SELECT expected_rewards_missing AS n
FROM account
WHERE expected_rewards_missing > 0
