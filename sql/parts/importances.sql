-- importances: sum of the importance weights of the logged actions at the first k positions.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM($weighting), 0) AS importances
FROM action_weights
WHERE rank <= $k
