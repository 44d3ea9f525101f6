-- ratings_infinite: Some rows of the truth have an infinite rating.
--
-- Leave these rows out, or give them the highest rating of the scale.
--
-- rows: rows of the truth with an infinite rating
-- of: truth
-- needs: rating
-- order: 10
-- say: {n: row of the truth has; rows of the truth have} an infinite rating{in rating}, such as {truth}. Leave out
--    infinite ratings, or replace them by the highest rating of the scale.
SELECT truth_id, item
FROM judgments
WHERE ABS(rating) = CAST('Infinity' AS DOUBLE)
