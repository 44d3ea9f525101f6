-- recommended_history_lists: one row per combination of the history's list columns that has recommendations.
SELECT DISTINCT history_id
FROM recommended_list_counts
