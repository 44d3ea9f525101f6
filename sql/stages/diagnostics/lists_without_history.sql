-- lists_without_history: one row per list of the recommendations that has no history.
SELECT recommended_list_counts.list_id
FROM recommended_list_counts
LEFT JOIN history_lists ON recommended_list_counts.history_id = history_lists.history_id
WHERE history_lists.history_id IS NULL
