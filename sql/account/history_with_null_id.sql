-- history_with_null_id: rows of the history with a NULL id; left out
--
-- needs: history
-- shown: if any
SELECT COUNT(*) AS history_with_null_id
FROM history_with_null_id
