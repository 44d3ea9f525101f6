-- min_pool: the smallest number of candidates that a list must be ranked from.
--
-- range: integer [2, inf)
SELECT 2 AS min_pool
