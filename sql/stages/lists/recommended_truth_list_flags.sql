-- recommended_truth_list_flags: one row per combination of the truth's list columns that has recommendations, with a flag for those that the truth has.
SELECT recommended_truth_lists.truth_id, CASE WHEN truth_lists.truth_id IS NULL THEN 0 ELSE 1 END AS has_truth
FROM recommended_truth_lists
LEFT JOIN truth_lists ON recommended_truth_lists.truth_id = truth_lists.truth_id
