-- log_with_null_id: rows of the log with a NULL id; left out
--
-- needs: log
-- shown: if any
SELECT COUNT(*) AS log_with_null_id
FROM log_with_null_id
