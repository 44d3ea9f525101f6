-- history_items_of_truth_lists: the history items of each truth list that has recommendations, each once.
SELECT DISTINCT recommended_lists.truth_id, history_items.item
FROM recommended_lists
JOIN history_items ON recommended_lists.history_id = history_items.history_id
