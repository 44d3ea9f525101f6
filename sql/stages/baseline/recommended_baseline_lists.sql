-- recommended_baseline_lists: the lists of the recommendations, identified by the list columns of the baseline.
SELECT DISTINCT baseline_id
FROM recommended_list_counts
