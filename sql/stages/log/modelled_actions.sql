-- modelled_actions: one row per action of the log and system, with the reward that a model expects of it.
--
-- expected_reward: this reward; 0 where the policy does not have the action.
SELECT
  action_weights.list_id, action_weights.rank, action_weights.reward, action_weights.importance,
  COALESCE(policy_rewards.expected_reward, 0) AS expected_reward
FROM action_weights
LEFT JOIN policy_rewards
  ON action_weights.list_id = policy_rewards.list_id AND action_weights.item = policy_rewards.item AND action_weights.rank = policy_rewards.rank
