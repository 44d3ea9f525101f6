-- ratings_infinite: Some rows of the truth have an infinite rating.
--
-- Leave these rows out, or give them the highest rating of the scale.
--
-- n: the rows.
-- needs: rating
-- samples: truth judgments_with_infinite_rating
-- order: 10
-- say: {n: row of the truth has; rows of the truth have} an infinite rating{in rating}, such as {truth}. Leave out
--    infinite ratings, or replace them by the highest rating of the scale.
SELECT truth_infinite AS n
FROM account
WHERE truth_infinite > 0
