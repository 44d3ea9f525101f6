-- category_candidate_totals: one row per system and category, with the number of its catalogue items that are not in the history of the list, over all scored lists.
SELECT
  lists.by_id, category_item_counts.category,
  SUM(category_item_counts.n_items - COALESCE(known_category_counts.n_known, 0)) AS n_candidates
FROM lists
JOIN category_item_counts ON lists.fold_id = category_item_counts.fold_id
LEFT JOIN known_category_counts
  ON lists.history_id = known_category_counts.history_id
  AND category_item_counts.category = known_category_counts.category
GROUP BY lists.by_id, category_item_counts.category
