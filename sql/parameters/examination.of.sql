-- of: the actions that are compared.
SELECT
  rewards_at / NULLIF(first_rewards, 0) AS swaps, -- items that the same list was shown at both positions (intervention harvesting)
  mean_reward_at / NULLIF(mean_first_reward, 0) AS shuffles -- all: right if the items were put in a random order
FROM runs
