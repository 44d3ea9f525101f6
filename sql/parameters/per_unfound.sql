-- per_unfound: the worth of each relevant item that is not recommended; a negative number is a cost.
--
-- range: (-inf, inf)
SELECT 0 AS per_unfound
