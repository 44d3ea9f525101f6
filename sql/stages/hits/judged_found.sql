-- judged_found: the recommended items that the list's truth mentions, each once, at its best rank.
SELECT list_id, item, MIN(rank) AS rank, MAX(rating) AS rating
FROM judged_places
GROUP BY list_id, item
