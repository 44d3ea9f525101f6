-- log_lists: one row per list of the log.
SELECT DISTINCT log_id
FROM log
WHERE log_id IS NOT NULL AND item IS NOT NULL
