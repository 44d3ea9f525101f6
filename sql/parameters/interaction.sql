-- interaction: the actions of an impression that its rewards depend on.
SELECT
  importance AS position, -- the action at the position of the reward alone: independent positions
  importance_down AS "cascade", -- the actions down to the position of the reward: the product of their weights
  CASE
    WHEN MIN(importance) OVER (PARTITION BY list_id, impression_id) > 0
    THEN EXP(SUM(LN(NULLIF(importance, 0))) OVER (PARTITION BY list_id, impression_id))
    ELSE CAST(0 AS DOUBLE)
  END AS slate, -- all actions of the impression: the product of their weights
  SUM(importance) OVER (PARTITION BY list_id, impression_id) - COUNT(importance) OVER (PARTITION BY list_id, impression_id) + 1 AS additive -- all actions, each of which adds to the rewards by itself: the sum of their weights, minus the number of positions, plus 1 (pseudoinverse); 0 if the policy has no rows for the list
FROM cascade_weights
