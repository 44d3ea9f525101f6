-- impressions: one row per recommendation of a scored list: a list that the history has.
--
-- when: missing = history
SELECT recommended.list_id, recommended.item, recommended.rank
FROM recommended
JOIN history_lists ON recommended.history_id = history_lists.history_id
