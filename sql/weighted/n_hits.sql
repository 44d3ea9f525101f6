-- n_hits: sum of the weights of the hits.
SELECT COALESCE(SUM(weight), 0) AS n_hits
FROM weighted_hits
WHERE rank <= $k
