-- judged_recommended_items: one row per list and recommended item that is in its truth, with the best rank of the item.
SELECT list_id, item, MIN(rank) AS rank, MAX(rating) AS rating
FROM judged_recommendations
GROUP BY list_id, item
