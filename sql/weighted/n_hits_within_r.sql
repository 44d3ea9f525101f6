-- n_hits_within_r: sum of the weights of the hits among the first R ranks, where R is the number of relevant items.
SELECT COALESCE(SUM(weight), 0) AS n_hits_within_r
FROM weighted_hits_within_r
WHERE rank <= $k
