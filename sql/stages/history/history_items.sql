-- history_items: the items of each list of the history, each once.
SELECT DISTINCT history_id, item
FROM history
WHERE history_id IS NOT NULL AND item IS NOT NULL
