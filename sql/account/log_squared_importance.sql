-- log_squared_importance: sum of the squared importance weights of the logged actions, rounded
--
-- needs: propensity
SELECT CAST(LEAST(ROUND(COALESCE(SUM(importance * importance), 0)), CAST(9000000000000000 AS DOUBLE)) AS BIGINT) AS log_squared_importance
FROM logged_actions
