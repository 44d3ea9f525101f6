-- recommended_list_flags: one row per list of the recommendations, with a flag for lists that the truth has.
--
-- A list that the truth has stays, with the flag 1. So a system whose lists all have a truth has rows here, and its number of
-- lists without truth is 0.
SELECT recommended_list_counts.list_id, CASE WHEN truth_lists.truth_id IS NULL THEN 0 ELSE 1 END AS has_truth
FROM recommended_list_counts
LEFT JOIN truth_lists ON recommended_list_counts.truth_id = truth_lists.truth_id
