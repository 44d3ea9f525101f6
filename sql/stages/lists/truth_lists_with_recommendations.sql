-- truth_lists_with_recommendations: one row per truth list that has recommendations.
SELECT recommended_truth_lists.truth_id
FROM recommended_truth_lists
JOIN truth_lists ON recommended_truth_lists.truth_id = truth_lists.truth_id
