-- lists_recommended: lists among the recommendations
SELECT COUNT(*) AS lists_recommended
FROM presence
