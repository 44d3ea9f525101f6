-- recommended_category_items: one row per scored list, recommended catalogue item and category of the item, at the best rank of the item.
SELECT impressions.list_id, impressions.item, catalog_categories.category, MIN(impressions.rank) AS rank
FROM impressions
JOIN catalog_categories ON impressions.fold_id = catalog_categories.fold_id AND impressions.item = catalog_categories.item
GROUP BY impressions.list_id, impressions.item, catalog_categories.category
