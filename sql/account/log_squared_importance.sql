-- log_squared_importance: sum of the squared importance weights of the logged actions, rounded
--
-- needs: propensity
SELECT CAST(COALESCE(LEAST(ROUND(SUM(importance * importance)), CAST(9000000000000000 AS DOUBLE)), 0) AS BIGINT) AS log_squared_importance
FROM logged_actions
