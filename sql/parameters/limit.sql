-- limit: the largest value of 1 / propensity; without it, no weight is limited.
--
-- range: (0, inf)
SELECT NULL AS "limit"
