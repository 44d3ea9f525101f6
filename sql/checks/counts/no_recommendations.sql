-- no_recommendations: There are no recommendations: the table has no rows, or every row has a NULL id.
--
-- Check the filter of the query, and the join that writes the table.
-- order: 1
-- say: There are no recommendations: {why recs}.
SELECT lists_recommended AS n
FROM account
WHERE lists_recommended = 0
