-- log_lists: lists of the log
--
-- needs: log
SELECT COUNT(*) AS log_lists
FROM log_lists
