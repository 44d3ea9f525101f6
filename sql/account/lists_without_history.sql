-- lists_without_history: lists have recommendations but no history
--
-- needs: history
-- shown: if any
SELECT COUNT(*) AS lists_without_history
FROM lists_without_history
