-- recommended_categories: one row per recommendation and category of its item. Items without a category are left out.
SELECT recommended.list_id, recommended.rank, categories.category, item_category_counts.n_categories
FROM recommended
JOIN categories ON recommended.fold_id = categories.fold_id AND recommended.item = categories.item
JOIN item_category_counts ON recommended.fold_id = item_category_counts.fold_id AND recommended.item = item_category_counts.item
