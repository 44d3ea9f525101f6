-- cap: the number of positions that divisor=fixed assumes, instead of the cutoff.
--
-- range: integer [1, inf)
SELECT 10 AS cap
