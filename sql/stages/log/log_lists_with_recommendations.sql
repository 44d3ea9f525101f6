-- log_lists_with_recommendations: one row per list of the log that has recommendations.
SELECT log_lists.log_id
FROM log_lists
JOIN recommended_log_lists ON log_lists.log_id = recommended_log_lists.log_id
