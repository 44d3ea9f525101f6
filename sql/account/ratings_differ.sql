-- ratings_differ: 1 if the relevant rows of the truth have different ratings; otherwise 0
--
-- needs: rating
-- measured: gain = binary
-- combined: maximum
SELECT CASE WHEN MIN(rating) < MAX(rating) THEN 1 ELSE 0 END AS ratings_differ
FROM relevant
