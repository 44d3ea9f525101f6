-- highest_rating: the highest rating of the relevant items; 0 without any.
--
-- range: [0, inf)
SELECT COALESCE(MAX(rating), 0) AS highest_rating
FROM ideal
WHERE rank <= 1
