-- impressions: the recommendations of the lists that the means are taken over: lists of the history.
--
-- when: missing = history
SELECT recommended.list_id, recommended.item, recommended.rank
FROM recommended
JOIN history_lists ON recommended.history_id = history_lists.history_id
