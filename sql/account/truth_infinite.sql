-- truth_infinite: rows of the truth with an infinite rating
--
-- needs: rating
SELECT COUNT(*) AS truth_infinite
FROM judgments
WHERE ABS(rating) = CAST('Infinity' AS DOUBLE)
