-- baseline_lists: lists that have a baseline
--
-- needs: baseline
SELECT COUNT(*) AS baseline_lists
FROM baseline_lists
