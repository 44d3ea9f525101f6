-- history_lists: one row per list of the history.
SELECT DISTINCT history_id
FROM history
WHERE history_id IS NOT NULL AND item IS NOT NULL
