-- lorenz: sum of exposure times (2 position - number of items - 1) over the items, sorted from the lowest exposure up.
--
-- Items that are never recommended have the first positions and add 0.
-- range: [0, inf)
SELECT 2 * exposure_by_position + ($among - 2 * n_exposed - 1) * exposure AS lorenz
FROM runs
