-- beta: how much more recall weighs than precision.
--
-- range: (0, inf)
SELECT 1 AS beta
