-- divergence_of_list: Jensen-Shannon divergence of the list's categories and those of the history.
--
-- range: [0, 1]
SELECT 1 + COALESCE(SUM((was * (LN(2 * was / (was + became)) / LN(2) - 1) + became * (LN(2 * became / (was + became)) / LN(2) - 1)) / 2), 0) AS divergence_of_list
FROM shared_categories
