-- lists_without_truth: the lists of the recommendations that the truth does not have.
SELECT recommended_list_counts.list_id
FROM recommended_list_counts
LEFT JOIN truth_lists ON recommended_list_counts.truth_id = truth_lists.truth_id
WHERE truth_lists.truth_id IS NULL
