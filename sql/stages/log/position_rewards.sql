-- position_rewards: one row per list and position of a policy, with the reward that a model expects there.
SELECT list_id, rank, SUM(probability * expected_reward) AS policy_reward
FROM policy_rewards
GROUP BY list_id, rank
