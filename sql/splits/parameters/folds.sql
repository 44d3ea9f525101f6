-- folds: the number of folds.
--
-- range: integer [2, inf)
SELECT 5 AS folds
