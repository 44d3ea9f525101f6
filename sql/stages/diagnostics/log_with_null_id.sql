-- log_with_null_id: the rows of the log with a NULL id.
SELECT item
FROM log
WHERE log_id IS NULL OR item IS NULL
