-- sampled_list_counts: one row per sampled list and system, with counts of its recommendations, and flags for its scores.
--
-- n_items: the recommendations. n_distinct_items: their items. n_relevant: the relevant items of the list.
-- n_hits, n_low, n_high: the hits, those in the lower half of the list, those in the upper half.
-- Of lists with at least three items:
-- is_level: 1 if all scores are equal, or none is a number.
-- is_bunched: 1 if the mean score is above the middle between the lowest and the highest score, by more than a rounding error. The
-- scores of the best of many items bunch at the low end. They bunch at the high end if they were turned round. Scores from 1e300
-- have no middle: their sum may be infinite.
-- is_rising: 1 if the lower half of the list holds a higher score than the upper half.
SELECT
  list_id,
  COUNT(item) AS n_items,
  COUNT(DISTINCT item) AS n_distinct_items,
  MAX(n_relevant) AS n_relevant,
  SUM(is_hit) AS n_hits,
  SUM(CASE WHEN position * 2 > length + 1 THEN is_hit ELSE 0 END) AS n_low,
  SUM(CASE WHEN position * 2 < length + 1 THEN is_hit ELSE 0 END) AS n_high,
  CASE WHEN COUNT(item) >= 3 AND (COUNT(score) = 0 OR (COUNT(score) = COUNT(item) AND MIN(score) = MAX(score))) THEN 1 ELSE 0 END AS is_level,
  CASE
    WHEN COUNT(item) < 3 THEN 0
    WHEN MAX(ABS(CAST(score AS DOUBLE))) >= CAST(1e300 AS DOUBLE) THEN 0
    WHEN AVG(CASE WHEN ABS(CAST(score AS DOUBLE)) < CAST(1e300 AS DOUBLE) THEN CAST(score AS DOUBLE) END) * 2
      - CAST(MIN(score) AS DOUBLE) - CAST(MAX(score) AS DOUBLE)
      > CAST(1e-9 AS DOUBLE) * (CAST(MAX(score) AS DOUBLE) - CAST(MIN(score) AS DOUBLE))
      THEN 1
    ELSE 0
  END AS is_bunched,
  CASE
    WHEN COUNT(item) >= 3
      AND MAX(CASE WHEN position * 2 > length + 1 THEN score END) > MAX(CASE WHEN position * 2 < length + 1 THEN score END)
      THEN 1 ELSE 0
  END AS is_rising
FROM sampled_recommendations
GROUP BY list_id
