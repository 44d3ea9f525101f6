-- squared_importances: sum of the squared importance weights of the logged actions at the first k positions.
--
-- range: [0, inf)
SELECT COALESCE(SUM(($weighting) * ($weighting)), 0) AS squared_importances
FROM action_weights
WHERE rank <= $k
