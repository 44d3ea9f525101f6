-- log_propensities_wrong: rows of the log whose propensity is not above 0 and at most 1
--
-- needs: propensity
-- shown: if any
SELECT COUNT(*) AS log_propensities_wrong
FROM log_with_wrong_propensity
