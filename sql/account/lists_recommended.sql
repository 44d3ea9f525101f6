-- lists_recommended: lists among the recommendations
SELECT COUNT(*) AS lists_recommended
FROM recommended_list_counts
