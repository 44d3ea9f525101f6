-- tagged: the recommendations with each category of their item; an item without a category is left out.
SELECT recommended.list_id, recommended.rank, categories.category, category_counts.n_categories
FROM recommended
JOIN categories ON recommended.fold_id = categories.fold_id AND recommended.item = categories.item
JOIN category_counts ON recommended.fold_id = category_counts.fold_id AND recommended.item = category_counts.item
