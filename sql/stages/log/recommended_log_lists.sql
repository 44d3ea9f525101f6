-- recommended_log_lists: one row per combination of the log's list columns that has recommendations.
SELECT DISTINCT log_id
FROM recommended_list_counts
