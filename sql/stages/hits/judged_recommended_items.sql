-- judged_recommended_items: the recommended items that the truth of the list judges, each once, with its best rank.
SELECT list_id, item, MIN(rank) AS rank, MAX(rating) AS rating
FROM judged_recommendations
GROUP BY list_id, item
