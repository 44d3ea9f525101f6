-- multiple: the rank at which precision is measured, as a multiple of the number of relevant items.
--
-- range: (0, inf)
SELECT 1 AS multiple
