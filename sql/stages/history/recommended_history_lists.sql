-- recommended_history_lists: the lists of the recommendations, identified by the list columns of the history.
SELECT DISTINCT history_id
FROM recommended_list_counts
