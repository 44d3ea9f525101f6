-- drawable_items: one row per truth list and catalogue item that is not in the truth of the list.
--
-- The negatives of a list are drawn from its items here.
SELECT truth_lists_with_recommendations.truth_id, catalog_items.item
FROM truth_lists_with_recommendations
JOIN catalog_items ON truth_lists_with_recommendations.fold_id = catalog_items.fold_id
LEFT JOIN distinct_judgments
  ON truth_lists_with_recommendations.truth_id = distinct_judgments.truth_id AND catalog_items.item = distinct_judgments.item
WHERE distinct_judgments.item IS NULL
