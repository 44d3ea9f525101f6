-- lorenz: sum of the exposures, each times twice its place from the lowest less one more than there are items.
--
-- Items without exposure come first and add nothing.
-- range: [0, inf)
SELECT 2 * exposure_by_position + ($among - 2 * n_exposed - 1) * exposure AS lorenz
FROM runs
