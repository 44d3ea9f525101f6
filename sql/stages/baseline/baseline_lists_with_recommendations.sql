-- baseline_lists_with_recommendations: the lists of the baseline that have recommendations.
SELECT baseline_lists.baseline_id
FROM baseline_lists
JOIN recommended_baseline_lists ON baseline_lists.baseline_id = recommended_baseline_lists.baseline_id
