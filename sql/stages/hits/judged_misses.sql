-- judged_misses: the recommended items that the truth of the list judges irrelevant, each once, with its best rank.
SELECT list_id, item, rank
FROM judged_recommended_items
WHERE NOT ($relevance) AND $judged
