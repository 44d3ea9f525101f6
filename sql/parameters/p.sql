-- p: patience: the probability that a reader goes on to the next position.
--
-- range: (0, 1)
SELECT 0.85 AS p
