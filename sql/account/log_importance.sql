-- log_importance: sum of the importance weights of the logged actions, rounded: near the number of actions if the propensities are right
--
-- needs: propensity
SELECT CAST(COALESCE(LEAST(ROUND(SUM(importance)), CAST(9000000000000000 AS DOUBLE)), 0) AS BIGINT) AS log_importance
FROM logged_actions
