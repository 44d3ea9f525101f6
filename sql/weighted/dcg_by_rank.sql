-- dcg_by_rank: sum of weight times gain times discount over the hits.
SELECT COALESCE(SUM($gain * weight * $discount), 0) AS dcg_by_rank
FROM weighted_hits
WHERE rank <= $k
