-- judgments_with_highest_rating: the rows of the truth with their propensity, and the highest rating of their item in the same list.
SELECT
  truth_id, item, COALESCE(rating, CAST(1 AS DOUBLE)) AS rating, propensity,
  MAX(COALESCE(rating, CAST(1 AS DOUBLE))) OVER (PARTITION BY truth_id, item) AS highest_rating
FROM truth
WHERE truth_id IS NOT NULL AND item IS NOT NULL
