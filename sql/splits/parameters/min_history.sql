-- min_history: the smallest number of rows that a tested user keeps.
--
-- range: integer [0, inf)
SELECT 1 AS min_history
