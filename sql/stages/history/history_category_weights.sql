-- history_category_weights: one row per list of the history and category, with the category's weight. Each item splits a weight of 1 among its categories.
SELECT
  history_items.history_id, categories.fold_id, categories.category,
  SUM(CAST(1 AS DOUBLE) / item_category_counts.n_categories) AS weight
FROM history_items
JOIN categories ON history_items.fold_id = categories.fold_id AND history_items.item = categories.item
JOIN item_category_counts ON categories.fold_id = item_category_counts.fold_id AND history_items.item = item_category_counts.item
GROUP BY history_items.history_id, categories.fold_id, categories.category
