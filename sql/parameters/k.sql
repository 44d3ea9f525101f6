-- k: the cutoff: only the first k places of a list count; without one, the whole list does.
--
-- range: integer [1, inf)
SELECT NULL AS k
