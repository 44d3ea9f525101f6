-- precisions_at_hits: sum, over the hits, of weight times (1 + the weights of the hits above) / rank.
SELECT COALESCE(SUM(weight * (1 + weight_above) / rank), 0) AS precisions_at_hits
FROM weighted_hits
WHERE rank <= $k
