-- recommended_from_history: the recommendations whose item is in the history of the same list.
SELECT recommended.list_id, recommended.rank
FROM recommended
JOIN history_items ON recommended.history_id = history_items.history_id AND recommended.item = history_items.item
