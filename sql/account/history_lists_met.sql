-- history_lists_met: of those, lists that were recommended something
--
-- needs: history
SELECT COUNT(*) AS history_lists_met
FROM history_lists_with_recommendations
