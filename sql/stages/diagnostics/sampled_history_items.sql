-- sampled_history_items: one row per sampled list and item of its history.
SELECT DISTINCT recommended_list_counts.truth_id, history.item
FROM recommended_list_counts
JOIN sampled_lists ON recommended_list_counts.truth_id = sampled_lists.truth_id
JOIN history ON recommended_list_counts.history_id = history.history_id
WHERE history.item IS NOT NULL
