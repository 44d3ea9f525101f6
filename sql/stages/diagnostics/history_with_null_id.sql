-- history_with_null_id: the rows of the history with a NULL id.
SELECT item
FROM history
WHERE history_id IS NULL OR item IS NULL
