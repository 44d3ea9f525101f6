-- add_zero_to_scores
SELECT item FROM recs ORDER BY score, item;

-- datafusion
SELECT item
FROM recs
ORDER BY
  (
    score + CAST(0 AS DOUBLE PRECISION)
  ),
  item;
