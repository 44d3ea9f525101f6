-- baseline_lists_with_recommendations: one row per list of the baseline that has recommendations.
SELECT baseline_lists.baseline_id
FROM baseline_lists
JOIN recommended_baseline_lists ON baseline_lists.baseline_id = recommended_baseline_lists.baseline_id
