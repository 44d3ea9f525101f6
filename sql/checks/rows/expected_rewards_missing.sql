-- expected_rewards_missing: Some recommendations have no expected reward.
--
-- A model must expect something of every item that the policy may show: fill the column, or leave it out and use
-- metrics without a model, such as `ips`.
--
-- rows: recommendations whose expected reward is NULL, NaN or infinite
-- of: recs
-- needs: expected_reward
-- order: 22
-- say: {n: recommendation has; recommendations have} no expected reward{in expected_reward}, or a wrong one, such
--    as {recs}. An expected reward is a number.
SELECT list_id, item
FROM recs
WHERE
  list_id IS NOT NULL AND item IS NOT NULL
  AND (expected_reward IS NULL OR ABS(expected_reward) = CAST('Infinity' AS DOUBLE))
