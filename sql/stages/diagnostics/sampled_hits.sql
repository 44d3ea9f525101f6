-- sampled_hits: one row per recommendation of a relevant item in a sampled list, with flags for the half of the list.
--
-- is_low: 1 in the lower half of the list. is_high: 1 in the upper half.
SELECT
  sampled_recommendations.list_id, sampled_recommendations.item,
  CASE WHEN sampled_recommendations.position * 2 > sampled_recommendations.length + 1 THEN 1 ELSE 0 END AS is_low,
  CASE WHEN sampled_recommendations.position * 2 < sampled_recommendations.length + 1 THEN 1 ELSE 0 END AS is_high
FROM sampled_recommendations
JOIN sampled_relevant ON sampled_recommendations.truth_id = sampled_relevant.truth_id AND sampled_recommendations.item = sampled_relevant.item
