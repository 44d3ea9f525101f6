-- log_propensities_wrong: Some propensities of the log are not above 0 and at most 1.
--
-- n: the rows.
-- needs: propensity
-- samples: log log_with_wrong_propensity
SELECT log_propensities_wrong AS n
FROM account
WHERE log_propensities_wrong > 0
