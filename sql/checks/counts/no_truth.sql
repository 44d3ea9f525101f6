-- no_truth: There is no truth: the table has no rows, or every row has a NULL id.
--
-- Often, a date filter removes all rows.
--
-- needs: truth
-- order: 2
-- say: There is no truth: {why truth}.
SELECT truth_lists AS n
FROM account
WHERE truth_lists = 0
