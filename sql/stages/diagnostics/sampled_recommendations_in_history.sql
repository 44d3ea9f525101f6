-- sampled_recommendations_in_history: one row per recommendation of a sampled list that is in the history of the same list.
SELECT sampled_recommendations.list_id, sampled_recommendations.item
FROM sampled_recommendations
JOIN sampled_history_items
  ON sampled_recommendations.truth_id = sampled_history_items.truth_id AND sampled_recommendations.item = sampled_history_items.item
