-- grouped: the recommended items that are known, each once at its best rank, and whether it is in the long tail.
SELECT recommended.list_id, recommended.item, MIN(recommended.rank) AS rank, MAX(popularity_groups.is_tail) AS is_tail
FROM recommended
JOIN popularity_groups ON recommended.fold_id = popularity_groups.fold_id AND recommended.item = popularity_groups.item
GROUP BY recommended.list_id, recommended.item
