-- baseline_lists_met: of those, lists that were recommended something
--
-- needs: baseline
SELECT COUNT(*) AS baseline_lists_met
FROM baseline_lists_with_recommendations
