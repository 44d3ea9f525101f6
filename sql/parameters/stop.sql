-- stop: the chance that a relevant item satisfies the reader.
SELECT
  CAST(0.5 AS DOUBLE) AS "binary", -- one half, whatever its rating
  CASE WHEN rating <= $max_rating THEN
    LEAST(
      (POWER(CAST(2 AS DOUBLE), rating) - 1) / POWER(CAST(2 AS DOUBLE), $max_rating),
      CAST(0.999999999999999 AS DOUBLE)
    )
  END AS graded -- (2^rating - 1) / 2^max_rating; a rating above the scale makes the metric NULL
FROM hits
