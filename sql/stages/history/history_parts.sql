-- history_parts: what part each category has of what a list's owner knew; an item is divided among its categories.
SELECT
  consumed.history_id, categories.fold_id, categories.category,
  SUM(CAST(1 AS DOUBLE) / category_counts.n_categories) AS mass
FROM consumed
JOIN categories ON consumed.fold_id = categories.fold_id AND consumed.item = categories.item
JOIN category_counts ON categories.fold_id = category_counts.fold_id AND consumed.item = category_counts.item
GROUP BY consumed.history_id, categories.fold_id, categories.category
