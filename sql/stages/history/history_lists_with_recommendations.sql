-- history_lists_with_recommendations: one row per list of the history that has recommendations.
SELECT history_lists.history_id
FROM history_lists
JOIN recommended_history_lists ON history_lists.history_id = recommended_history_lists.history_id
