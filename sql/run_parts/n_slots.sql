-- n_slots: number of recommendations of the items whose exposure is compared.
--
-- range: [0, inf)
SELECT CAST(SUM(n_impressions) AS DOUBLE) AS n_slots
FROM exposures
