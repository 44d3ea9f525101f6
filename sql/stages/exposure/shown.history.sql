-- shown: the recommendations that a system is judged by: those of lists that have a history.
--
-- when: missing = history
SELECT recommended.list_id, recommended.item, recommended.rank
FROM recommended
JOIN history_lists ON recommended.history_id = history_lists.history_id
