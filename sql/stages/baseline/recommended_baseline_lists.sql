-- recommended_baseline_lists: one row per combination of the baseline's list columns that has recommendations.
SELECT DISTINCT baseline_id
FROM recommended_list_counts
