-- recommended_popularity_groups: one row per list and recommended item that has a popularity, at its best rank, with a flag for the long tail.
SELECT recommended.list_id, recommended.item, MIN(recommended.rank) AS rank, MAX(popularity_groups.is_tail) AS is_tail
FROM recommended
JOIN popularity_groups ON recommended.fold_id = popularity_groups.fold_id AND recommended.item = popularity_groups.item
GROUP BY recommended.list_id, recommended.item
