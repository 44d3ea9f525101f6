-- exposure_by_rank: sum of weight times rank over the recommendations of the items whose exposure is compared.
--
-- range: [0, inf)
SELECT SUM(weight_by_rank) AS exposure_by_rank
FROM exposures
