-- page_size: the number of items that a page shows.
--
-- range: integer [1, inf)
SELECT 10 AS page_size
