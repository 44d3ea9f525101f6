-- hit_categories: one row per hit of a scored list and category of its item.
SELECT hits.list_id, hits.item, hits.rank, hits.rating, categories.category
FROM hits
JOIN lists ON hits.list_id = lists.list_id
JOIN categories ON hits.fold_id = categories.fold_id AND hits.item = categories.item
