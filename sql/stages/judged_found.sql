-- judged_found: the recommended items that the list's truth mentions, each once, at its best rank.
SELECT recommended.list_id, recommended.item, MIN(recommended.rank) AS rank, MAX(judged.rating) AS rating
FROM recommended
JOIN judged ON recommended.truth_id = judged.truth_id AND recommended.item = judged.item
GROUP BY recommended.list_id, recommended.item
