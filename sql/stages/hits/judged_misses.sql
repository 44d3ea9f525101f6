-- judged_misses: one row per list and recommended item that its truth judges irrelevant, with the best rank of the item.
SELECT list_id, item, rank
FROM judged_recommended_items
WHERE NOT ($relevance) AND $judged
