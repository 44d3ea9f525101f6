-- action_weights: one row per action of the log and system, with the weight of the actions that its reward depends on.
--
-- The weight is 0 if the policy has no rows for the list: the sum of weights, minus the number of positions, plus 1 would be
-- negative without any probability.
-- when: interaction = additive
SELECT
  interaction_weights.list_id, interaction_weights.impression_id, interaction_weights.item, interaction_weights.rank,
  interaction_weights.reward,
  CASE WHEN policy_lists.list_id IS NULL THEN CAST(0 AS DOUBLE) ELSE interaction_weights.importance END AS importance
FROM interaction_weights
LEFT JOIN policy_lists ON interaction_weights.list_id = policy_lists.list_id
