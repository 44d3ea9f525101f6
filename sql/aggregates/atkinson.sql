-- atkinson: Atkinson index of the values of lists: the share of the mean that would be given up for equal values, 0 if they are equal; with an aversion to inequality of 0.5, or as in `atkinson(0.9)`; undefined if any value is below 0
SELECT
  CASE WHEN MIN(value) >= 0 THEN
    1 - POWER(AVG(POWER(CAST(CASE WHEN value >= 0 THEN value END AS DOUBLE), 1 - $aversion)), 1 / (1 - $aversion))
    / NULLIF(AVG(CAST(value AS DOUBLE)), 0)
  END AS atkinson
FROM per_list
