-- history_lists: lists that have a history
--
-- needs: history
SELECT COUNT(*) AS history_lists
FROM history_lists
