-- judgments_with_infinite_rating: the rows of the truth with an infinite rating.
SELECT truth_id, item
FROM judgments
WHERE ABS(rating) = CAST('Infinity' AS DOUBLE)
