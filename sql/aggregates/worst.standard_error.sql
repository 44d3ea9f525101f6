-- standard_error: standard error of `worst`, by its influence function: the deviation of the values with the last of the worst in place of all better ones (Manistre, Hancock 2005, doi:10.1080/10920277.2005.10596199)
SELECT
  SQRT(
    (COUNT(worst_value) - 1) * STDDEV_SAMP(worst_value) * STDDEV_SAMP(worst_value)
    + COUNT(worst_value) * (COUNT(value) - COUNT(worst_value)) / CAST(COUNT(value) AS DOUBLE)
    * POWER(AVG(worst_value) - $sign * MAX($sign * worst_value), 2)
  ) / ($share * SQRT(COUNT(value) * NULLIF(COUNT(value) - 1, 0))) AS standard_error
FROM (
  SELECT
    value,
    CASE
      WHEN ROW_NUMBER() OVER (ORDER BY $sign * value DESC NULLS LAST) - COUNT(value) OVER () + $share * COUNT(value) OVER () > 0.000001
        THEN CAST(value AS DOUBLE)
    END AS worst_value
  FROM per_list
) AS places
