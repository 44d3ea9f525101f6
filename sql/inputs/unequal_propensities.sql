-- unequal_propensities: a row if the highest propensity of the log is more than a tenth higher than the lowest.
SELECT low, high
FROM (
  SELECT COUNT(*) AS n, MIN(CAST(propensity AS DOUBLE)) AS low, MAX(CAST(propensity AS DOUBLE)) AS high FROM log
) AS logged
WHERE n >= 10 AND high > 1.1 * low
