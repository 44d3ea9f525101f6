-- absolute_errors: sum of the absolute errors of the predictions among the first k.
--
-- range: [0, inf)
SELECT COALESCE(SUM(ABS(error)), 0) AS absolute_errors
FROM predictions
WHERE rank <= $k
