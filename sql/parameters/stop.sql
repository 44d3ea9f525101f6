-- stop: the probability that a reader stops at a hit.
SELECT
  CAST(0.5 AS DOUBLE) AS "binary", -- 0.5, whatever the rating
  CASE WHEN rating <= $max_rating THEN
    LEAST(
      (POWER(CAST(2 AS DOUBLE), rating) - 1) / POWER(CAST(2 AS DOUBLE), $max_rating),
      CAST(0.999999999999999 AS DOUBLE)
    )
  END AS graded, -- (2^rating - 1) / 2^max_rating; if a rating exceeds max_rating, the metric is undefined
  CASE WHEN rating <= 1 THEN LEAST(rating, CAST(0.999999999999999 AS DOUBLE)) END AS rating -- the rating, a probability; if a rating exceeds 1, the metric is undefined
FROM hits
