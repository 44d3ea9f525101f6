-- cap: the number that stands in the place of a cutoff.
--
-- range: integer [1, inf)
SELECT 10 AS cap
