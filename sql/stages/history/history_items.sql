-- history_items: one row per list of the history and item.
SELECT DISTINCT history_id, item
FROM history
WHERE history_id IS NOT NULL AND item IS NOT NULL
