-- exposure_times: how many of the first k places of all lists are filled.
--
-- range: [0, inf)
SELECT SUM(places) AS exposure_times
FROM exposure_shares
