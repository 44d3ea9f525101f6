-- n_ideal_hits: sum of the weights of the k relevant items with the highest weights.
SELECT COALESCE(SUM(weight), 0) AS n_ideal_hits
FROM ideal_weights
WHERE rank <= $k
