-- ideal_gains: sum of the gains of all relevant items.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM($gain), 0) AS ideal_gains
FROM ideal
