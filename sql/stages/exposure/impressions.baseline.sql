-- impressions: one row per recommendation of a scored list: a list that the baseline has.
--
-- when: missing = baseline
SELECT recommended.list_id, recommended.item, recommended.rank
FROM recommended
JOIN baseline_lists ON recommended.baseline_id = baseline_lists.baseline_id
