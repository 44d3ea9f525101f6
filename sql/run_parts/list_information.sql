-- list_information: sum, over all lists, of the mean of -log2 of the item's share of all impressions, over the list's impressions.
--
-- range: [0, inf)
SELECT SUM(weight * LN(CAST(n_all_impressions AS DOUBLE) / n_impressions)) / LN(2) AS list_information
FROM impression_level_totals
