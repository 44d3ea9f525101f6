-- no_baseline: There is no baseline: the table has no rows, or every row has a NULL id.
--
-- Leave `baseline=` out if no metric needs it.
--
-- needs: baseline
SELECT baseline_lists AS n
FROM account
WHERE baseline_lists = 0
