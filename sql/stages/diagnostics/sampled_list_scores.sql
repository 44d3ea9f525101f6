-- sampled_list_scores: one row per sampled list and system with at least three items, with flags for its scores.
--
-- is_level: 1 if all scores are equal, or none is a number.
-- is_bunched: 1 if the mean score is above the middle between the lowest and the highest score. The scores of the best of many
-- items bunch at the low end. They bunch at the high end if they were turned round. Infinite scores have no middle.
-- is_rising: 1 if the lower half of the list holds a higher score than the upper half.
SELECT
  list_id,
  CASE WHEN COUNT(score) = 0 OR (COUNT(score) = COUNT(item) AND MIN(score) = MAX(score)) THEN 1 ELSE 0 END AS is_level,
  CASE
    WHEN ABS(CAST(MIN(score) AS DOUBLE)) = CAST('Infinity' AS DOUBLE) OR CAST(MAX(score) AS DOUBLE) = CAST('Infinity' AS DOUBLE)
      THEN 0
    WHEN AVG(CAST(score AS DOUBLE)) * 2 > CAST(MIN(score) AS DOUBLE) + CAST(MAX(score) AS DOUBLE) THEN 1
    ELSE 0
  END AS is_bunched,
  CASE
    WHEN MAX(CASE WHEN position * 2 > length + 1 THEN score END) > MAX(CASE WHEN position * 2 < length + 1 THEN score END)
      THEN 1 ELSE 0
  END AS is_rising
FROM sampled_recommendations
GROUP BY list_id
HAVING COUNT(item) >= 3
