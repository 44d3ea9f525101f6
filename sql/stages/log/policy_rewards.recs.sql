-- policy_rewards: one row per item and position at which a policy may show it, with its probability and the reward that a model expects there.
--
-- when: input recs
SELECT list_id, item, COALESCE(position, 1) AS rank, probability, expected_reward
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
