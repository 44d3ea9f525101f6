-- n_satisfied: number of recommended items that have at least as many impressions as if all items of the catalogue had the same number, rounded down.
--
-- range: [0, inf)
SELECT COALESCE(SUM(n_items), 0) AS n_satisfied
FROM satisfied_levels
