-- relevant_category_counts: one row per truth list and category, with the number of its relevant items of the category.
SELECT relevant.truth_id, categories.category, COUNT(DISTINCT relevant.item) AS n_relevant
FROM relevant
JOIN categories ON relevant.fold_id = categories.fold_id AND relevant.item = categories.item
GROUP BY relevant.truth_id, categories.category
