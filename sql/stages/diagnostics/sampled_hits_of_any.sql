-- sampled_hits_of_any: one row per recommendation of a sampled list whose item is relevant for a sampled list, with the number of such lists.
SELECT sampled_recommendations.list_id, sampled_item_frequencies.n_lists
FROM sampled_recommendations
JOIN sampled_item_frequencies ON sampled_recommendations.item = sampled_item_frequencies.item
