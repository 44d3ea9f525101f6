-- list_information: sum, over all lists, of the mean of the same over the places of the list.
--
-- range: [0, inf)
SELECT SUM(mass * LN(CAST(all_places AS DOUBLE) / times)) / LN(2) AS list_information
FROM exposure_shares
