-- no_log: There is no log: the table has no rows, or every row has a NULL id.
--
-- Leave `log=` out if no metric needs it.
--
-- needs: log
-- order: 14
-- say: There is no log: {why log}.
SELECT log_lists AS n
FROM account
WHERE log_lists = 0
