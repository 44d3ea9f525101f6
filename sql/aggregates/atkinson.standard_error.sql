-- standard_error: standard error of `atkinson`, by the delta method for the two means that it compares; undefined if any value is below 0
SELECT
  CASE WHEN MIN(value) >= 0 THEN
    POWER(AVG(utility), 1 / (1 - $aversion)) / NULLIF(AVG(CAST(value AS DOUBLE)), 0)
    * STDDEV_SAMP(influence) / SQRT(COUNT(value))
  END AS standard_error
FROM (
  SELECT
    value,
    POWER(CAST(CASE WHEN value >= 0 THEN value END AS DOUBLE), 1 - $aversion) AS utility,
    POWER(CAST(CASE WHEN value >= 0 THEN value END AS DOUBLE), 1 - $aversion)
    / NULLIF((1 - $aversion) * AVG(POWER(CAST(CASE WHEN value >= 0 THEN value END AS DOUBLE), 1 - $aversion)) OVER (), 0)
    - value / NULLIF(AVG(CAST(value AS DOUBLE)) OVER (), 0) AS influence
  FROM per_list
) AS influences
