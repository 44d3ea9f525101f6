-- squared_errors: sum of the squared errors of the predictions among the first k.
--
-- range: [0, inf)
SELECT COALESCE(SUM(error * error), 0) AS squared_errors
FROM predictions
WHERE rank <= $k
