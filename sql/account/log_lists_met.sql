-- log_lists_met: lists of the log that have recommendations
--
-- needs: log
SELECT COUNT(*) AS log_lists_met
FROM log_lists_with_recommendations
