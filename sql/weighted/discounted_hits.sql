-- discounted_hits: sum of weight times discount over the hits.
SELECT COALESCE(SUM(weight * $discount), 0) AS discounted_hits
FROM weighted_hits
WHERE rank <= $k
