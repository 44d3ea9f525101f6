-- interaction_weights: one row per action of the log and system, with the weight of the actions that its reward depends on.
SELECT list_id, impression_id, item, rank, reward, $interaction AS importance
FROM cascade_weights
