-- highest_lorenz: the highest value of lorenz that lists of this number and length can have: all of them are the same.
--
-- range: [0, inf)
SELECT ($among + 1) * exposure - 2 * exposure_by_rank AS highest_lorenz
FROM runs
