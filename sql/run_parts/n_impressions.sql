-- n_impressions: number of recommendations among the first k of all lists.
--
-- range: [0, inf)
SELECT SUM(n_level_impressions) AS n_impressions
FROM impression_level_totals
