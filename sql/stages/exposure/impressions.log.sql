-- impressions: one row per recommendation of a scored list: a list that the log has.
--
-- when: missing = log
SELECT recommended.list_id, recommended.item, recommended.rank
FROM recommended
JOIN log_lists ON recommended.log_id = log_lists.log_id
