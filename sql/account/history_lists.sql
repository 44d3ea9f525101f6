-- history_lists: lists of the history
--
-- needs: history
SELECT COUNT(*) AS history_lists
FROM history_lists
