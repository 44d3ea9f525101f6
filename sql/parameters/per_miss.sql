-- per_miss: the worth of each recommendation that is not a hit; a negative number is a cost.
--
-- range: (-inf, inf)
SELECT -1 AS per_miss
