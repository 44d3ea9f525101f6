-- no_relevant_rating: No rating reaches the least relevant rating of a metric.
--
-- severity: warning
-- found: by a test
-- order: 123
-- needs: rating
-- say: No rating of the truth reaches {highest}, the least relevant rating of {labels}: no item is relevant. Give
--    a threshold on the scale of the ratings.
SELECT relevant_at_highest AS n
FROM account
