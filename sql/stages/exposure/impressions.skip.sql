-- impressions: one row per recommendation of a scored list: a list that the truth has.
--
-- when: missing = skip
SELECT recommended.list_id, recommended.item, recommended.rank
FROM recommended
JOIN truth_lists ON recommended.truth_id = truth_lists.truth_id
