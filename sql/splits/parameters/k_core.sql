-- k_core: the smallest number of interactions of each user and of each item; users and items with fewer are left out.
--
-- range: integer [2, inf)
SELECT NULL AS k_core
