-- no_recommendations: There are no recommendations: the table has no rows, or every row has a NULL id.
SELECT lists_recommended AS n
FROM account
WHERE lists_recommended = 0
