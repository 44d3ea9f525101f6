-- baseline_lists: lists of the baseline
--
-- needs: baseline
SELECT COUNT(*) AS baseline_lists
FROM baseline_lists
