-- truth_lists_with_recommendations: the truth lists that have recommendations.
SELECT recommended_truth_lists.truth_id
FROM recommended_truth_lists
JOIN truth_lists ON recommended_truth_lists.truth_id = truth_lists.truth_id
