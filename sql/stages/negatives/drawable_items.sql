-- drawable_items: the items of the catalogue that are not in the list's truth.
--
-- The negatives of the list are drawn from these items.
SELECT truth_lists_with_recommendations.truth_id, catalog_items.item
FROM truth_lists_with_recommendations
JOIN catalog_items ON truth_lists_with_recommendations.fold_id = catalog_items.fold_id
LEFT JOIN distinct_judgments
  ON truth_lists_with_recommendations.truth_id = distinct_judgments.truth_id AND catalog_items.item = distinct_judgments.item
WHERE distinct_judgments.item IS NULL
