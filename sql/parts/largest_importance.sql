-- largest_importance: largest importance weight of the logged actions at the first k positions.
--
-- range: (-inf, inf)
SELECT MAX($weighting) AS largest_importance
FROM action_weights
WHERE rank <= $k
