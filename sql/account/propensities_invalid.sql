-- propensities_invalid: relevant items that have no propensity above 0 and up to 1
--
-- measured: weights
SELECT COUNT(*) - COUNT(CASE WHEN propensity > 0 AND propensity <= 1 THEN 1 END) AS propensities_invalid
FROM relevant_propensities
