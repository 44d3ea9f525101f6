-- sampled_item_counts: one row per item that is recommended in sampled lists of a row of the summary, with counts of its rows.
--
-- n_rows: the recommendations. n_low, n_high: the hits in the lower half and in the upper half of a list.
-- n_lists: the sampled lists for which the item is relevant.
SELECT
  sampled_recommendations.by_id,
  sampled_recommendations.item,
  COUNT(*) AS n_rows,
  SUM(CASE WHEN sampled_recommendations.position * 2 > sampled_recommendations.length + 1 THEN sampled_recommendations.is_hit ELSE 0 END) AS n_low,
  SUM(CASE WHEN sampled_recommendations.position * 2 < sampled_recommendations.length + 1 THEN sampled_recommendations.is_hit ELSE 0 END) AS n_high,
  MAX(COALESCE(sampled_item_frequencies.n_lists, 0)) AS n_lists
FROM sampled_recommendations
LEFT JOIN sampled_item_frequencies ON sampled_recommendations.item = sampled_item_frequencies.item
GROUP BY sampled_recommendations.by_id, sampled_recommendations.item
