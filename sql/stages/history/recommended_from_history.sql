-- recommended_from_history: one row per recommendation whose item is in the history of the list.
SELECT recommended.list_id, recommended.rank
FROM recommended
JOIN history_items ON recommended.history_id = history_items.history_id AND recommended.item = history_items.item
