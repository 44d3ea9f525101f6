-- impression_information: sum, over all impressions, of -log2 of the item's share of all impressions.
--
-- range: [0, inf)
SELECT SUM(n_level_impressions * LN(CAST(n_all_impressions AS DOUBLE) / n_impressions)) / LN(2) AS impression_information
FROM impression_level_totals
