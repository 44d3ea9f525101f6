-- k: the cutoff: only the first k positions of a list count; without a cutoff, the whole list counts.
--
-- range: integer [1, inf)
SELECT NULL AS k
