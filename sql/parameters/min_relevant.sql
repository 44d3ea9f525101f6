-- min_relevant: the smallest number of relevant items that a list must have.
--
-- range: integer [1, inf)
SELECT 1 AS min_relevant
