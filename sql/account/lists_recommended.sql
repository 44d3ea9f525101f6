-- lists_recommended: lists of the recommendations
SELECT COUNT(*) AS lists_recommended
FROM recommended_list_counts
