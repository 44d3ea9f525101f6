-- impression_information: sum, over the first k places of all lists, of -log2 of the share of places that the item has.
--
-- range: [0, inf)
SELECT SUM(n_level_impressions * LN(CAST(n_all_impressions AS DOUBLE) / n_impressions)) / LN(2) AS impression_information
FROM impression_level_totals
