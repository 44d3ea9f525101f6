-- baseline_lists_met: lists of the baseline that have recommendations
--
-- needs: baseline
SELECT COUNT(*) AS baseline_lists_met
FROM baseline_lists_with_recommendations
