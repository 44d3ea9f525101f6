-- n_predictions: number of rated items with a score among the first k.
--
-- range: [0, inf)
SELECT COUNT(error) AS n_predictions
FROM predictions
WHERE rank <= $k
