-- n: the number of rows of each user that are held out.
--
-- range: integer [1, inf)
SELECT 1 AS n
