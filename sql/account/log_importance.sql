-- log_importance: sum of the importance weights of the logged actions, rounded: near the number of actions if the propensities are right
--
-- needs: propensity
SELECT CAST(LEAST(ROUND(COALESCE(SUM(importance), 0)), CAST(9000000000000000 AS DOUBLE)) AS BIGINT) AS log_importance
FROM logged_actions
