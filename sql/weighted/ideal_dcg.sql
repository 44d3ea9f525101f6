-- ideal_dcg: sum of weight times gain times discount over the relevant items, ranked by gain times weight.
SELECT COALESCE(SUM($negatives * weight * $discount), 0) AS ideal_dcg
FROM weighted_ideal
WHERE rank <= $ideal
