-- history_items_of_truth_lists: one row per truth list that has recommendations and item of its history.
SELECT DISTINCT recommended_lists.truth_id, history_items.item
FROM recommended_lists
JOIN history_items ON recommended_lists.history_id = history_items.history_id
