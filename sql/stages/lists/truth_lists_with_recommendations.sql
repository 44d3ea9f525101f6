-- truth_lists_with_recommendations: one row per truth list that has recommendations.
SELECT truth_id
FROM recommended_truth_list_flags
WHERE has_truth = 1
