-- beta: weight of recall relative to precision: recall counts beta times as much.
--
-- range: (0, inf)
SELECT 1 AS beta
