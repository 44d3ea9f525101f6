-- p: patience: the chance that a reader goes on to the next place.
--
-- range: (0, 1)
SELECT 0.85 AS p
