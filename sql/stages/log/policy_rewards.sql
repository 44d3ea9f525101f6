-- policy_rewards: one row per item and position at which a policy may show it, with the reward that a model expects there.
--
-- probability: 1. A ranking shows each item at its rank, for certain.
SELECT ranked.list_id, ranked.item, ranked.rank, CAST(1 AS DOUBLE) AS probability, expected_rewards.expected_reward
FROM ranked
JOIN expected_rewards ON ranked.list_id = expected_rewards.list_id AND ranked.item = expected_rewards.item
