-- no_history: There is no history: the table has no rows, or every row has a NULL id.
--
-- needs: history-rows
SELECT history_lists AS n
FROM account
WHERE history_lists = 0
