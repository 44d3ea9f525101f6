-- per_hit: the worth of each hit.
--
-- range: (-inf, inf)
SELECT 1 AS per_hit
