-- modelled_cascades: one row per action of the log and system, with what a model expects of it.
--
-- expected_reward: the reward that the model expects of the logged action; 0 where the policy does not have the action.
-- policy_reward: the reward that the model expects of the policy at this position; 0 where the policy has nothing there.
SELECT
  cascade_steps.list_id, cascade_steps.rank, cascade_steps.reward, cascade_steps.importance_down, cascade_steps.importance_above,
  COALESCE(policy_rewards.expected_reward, 0) AS expected_reward,
  COALESCE(position_rewards.policy_reward, 0) AS policy_reward
FROM cascade_steps
LEFT JOIN policy_rewards
  ON cascade_steps.list_id = policy_rewards.list_id AND cascade_steps.item = policy_rewards.item AND cascade_steps.rank = policy_rewards.rank
LEFT JOIN position_rewards ON cascade_steps.list_id = position_rewards.list_id AND cascade_steps.rank = position_rewards.rank
