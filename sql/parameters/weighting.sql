-- weighting: how large weights are made smaller: less variance for some bias.
SELECT
  LEAST(importance, $clip) AS clipped, -- a weight above `clip` counts as `clip`; without a clip, weights stay as they are
  $shrink * importance / (importance * importance + $shrink) AS shrunk, -- shrink * weight / (weight^2 + shrink) (optimistic shrinkage)
  CASE WHEN importance <= $switch THEN importance ELSE CAST(0 AS DOUBLE) END AS switched -- a weight above `switch` counts 0: with a model of the rewards, the model alone decides there (SWITCH)
FROM action_weights
