-- rows_without_a_rating: Rows of the truth have no rating.
--
-- severity: warning
-- order: 122
-- needs: rating
-- say: {truth_unrated: row of the truth has; rows of the truth have} no rating in column {column rating} (NULL or
--    NaN). Such a row is read as rated 1, which is relevant. Leave out rows without a rating, or rate them.
SELECT truth_unrated AS n
FROM account
WHERE truth_unrated > 0
