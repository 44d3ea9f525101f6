-- recommended_popularity_groups: the recommended items, each once with its best rank, with a flag for the long tail.
--
-- An item without a popularity is left out.
SELECT recommended.list_id, recommended.item, MIN(recommended.rank) AS rank, MAX(popularity_groups.is_tail) AS is_tail
FROM recommended
JOIN popularity_groups ON recommended.fold_id = popularity_groups.fold_id AND recommended.item = popularity_groups.item
GROUP BY recommended.list_id, recommended.item
