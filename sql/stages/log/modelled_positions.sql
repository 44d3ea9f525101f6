-- modelled_positions: one row per action of the log and system, with the reward that a model expects of the policy at its position.
--
-- policy_reward: this reward; 0 where the policy has nothing there.
SELECT logged_actions.list_id, logged_actions.rank, COALESCE(position_rewards.policy_reward, 0) AS policy_reward
FROM logged_actions
LEFT JOIN position_rewards ON logged_actions.list_id = position_rewards.list_id AND logged_actions.rank = position_rewards.rank
