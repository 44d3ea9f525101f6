-- ranks_of_hits: sum of weight times rank over the hits.
SELECT COALESCE(SUM(weight * rank), 0) AS ranks_of_hits
FROM weighted_hits
WHERE rank <= $k
