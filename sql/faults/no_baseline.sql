-- no_baseline: There is no baseline: the table has no rows, or every row has a NULL id.
--
-- needs: baseline
SELECT baseline_lists AS n
FROM account
WHERE baseline_lists = 0
