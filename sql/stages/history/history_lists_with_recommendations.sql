-- history_lists_with_recommendations: the lists of the history that have recommendations.
SELECT history_lists.history_id
FROM history_lists
JOIN recommended_history_lists ON history_lists.history_id = recommended_history_lists.history_id
