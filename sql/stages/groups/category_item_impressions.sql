-- category_item_impressions: one row per system, category and recommended item of the category, with the number of its impressions among the first k ranks of all lists.
SELECT impressions.by_id, categories.category, impressions.item, COUNT(*) AS n_impressions
FROM impressions
JOIN categories ON impressions.fold_id = categories.fold_id AND impressions.item = categories.item
WHERE impressions.rank <= $k
GROUP BY impressions.by_id, categories.category, impressions.item
