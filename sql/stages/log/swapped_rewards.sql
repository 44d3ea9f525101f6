-- swapped_rewards: one row per list, item and position of the log, if the list was shown the item in the first position, too.
--
-- reward: the mean reward of the item at this position. first_reward: its mean reward at the first position.
SELECT below.fold_id, below.rank, below.mean_reward AS reward, first.mean_reward AS first_reward
FROM mean_rewards AS below
JOIN mean_rewards AS first ON below.log_id = first.log_id AND below.item = first.item
WHERE first.rank = 1
