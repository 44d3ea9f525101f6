-- cascade_steps: one row per action of the log and system, with the product of the importance weights down to it, and above it.
--
-- importance_down: the product of the weights of its impression, from the first position down to the action.
-- importance_above: importance_down of the action above in the impression; 1 for the first. No join comes between the two:
-- DataFusion refuses a window over a join if the rank is a constant, as it is in a log without positions.
SELECT
  list_id, impression_id, item, rank, reward, importance_down,
  COALESCE(LAG(importance_down) OVER (PARTITION BY list_id, impression_id ORDER BY rank NULLS FIRST), 1) AS importance_above
FROM cascade_weights
