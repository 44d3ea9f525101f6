-- min_relevant: the fewest relevant items that a list may have.
--
-- range: integer [1, inf)
SELECT 1 AS min_relevant
