-- history_lists_met: lists of the history that have recommendations
--
-- needs: history
SELECT COUNT(*) AS history_lists_met
FROM history_lists_with_recommendations
