-- drawable_items: the items of the catalogue that are in neither the list's truth nor its history.
--
-- The negatives of the list are drawn from these items.
-- when: input history
SELECT truth_lists_with_recommendations.truth_id, catalog_items.item
FROM truth_lists_with_recommendations
JOIN catalog_items ON truth_lists_with_recommendations.fold_id = catalog_items.fold_id
LEFT JOIN distinct_judgments
  ON truth_lists_with_recommendations.truth_id = distinct_judgments.truth_id AND catalog_items.item = distinct_judgments.item
LEFT JOIN history_items_of_truth_lists
  ON truth_lists_with_recommendations.truth_id = history_items_of_truth_lists.truth_id AND catalog_items.item = history_items_of_truth_lists.item
WHERE distinct_judgments.item IS NULL AND history_items_of_truth_lists.item IS NULL
