-- lists: one row per scored list: every list that is both in the recommendations and in the truth.
--
-- when: missing = skip
SELECT recommended_lists.list_id
FROM recommended_lists
JOIN truth_lists ON recommended_lists.truth_id = truth_lists.truth_id
