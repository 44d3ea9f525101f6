-- history_lists: the lists of the history.
SELECT DISTINCT history_id
FROM history
WHERE history_id IS NOT NULL AND item IS NOT NULL
