-- no_rating_above_0: No rating of the sampled lists is above 0.
--
-- severity: warning
-- found: by a test
-- order: 124
-- heading: no-relevant-rating
-- say: No rating of the truth in column {column rating} is above 0 in the first {sampled_lists} lists, so no item
--    is relevant. Name the column of the ratings, or set the least relevant rating with rel.
SELECT sampled_relevant AS n
FROM account
