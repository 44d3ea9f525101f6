-- no_baseline: There is no baseline: the table has no rows, or every row has a NULL id.
--
-- Leave `baseline=` out if no metric needs it.
--
-- needs: baseline
-- order: 13
-- say: There is no baseline: {why baseline}. If the baseline is given as the name of a system, no row has this
--    name.
SELECT baseline_lists AS n
FROM account
WHERE baseline_lists = 0
