-- n_impressions: how many of the first k places of all lists are filled.
--
-- range: [0, inf)
SELECT SUM(n_level_impressions) AS n_impressions
FROM impression_level_totals
