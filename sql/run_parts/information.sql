-- information: sum, over the first k places of all lists, of -log2 of the share of places that the item has.
--
-- range: [0, inf)
SELECT SUM(places * LN(CAST(all_places AS DOUBLE) / times)) / LN(2) AS information
FROM exposure_shares
