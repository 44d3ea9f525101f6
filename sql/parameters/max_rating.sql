-- max_rating: the highest rating of the scale.
--
-- range: (0, inf)
SELECT 5 AS max_rating
