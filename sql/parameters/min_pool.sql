-- min_pool: the fewest candidates that a list may be ranked from.
--
-- range: integer [2, inf)
SELECT 2 AS min_pool
