-- category_candidate_totals: one row per system and category, with the number of its catalogue items that are not in the history of the list, over all scored lists.
--
-- Lists are counted before they meet the categories, so that no row is needed for each list and category.
SELECT
  fold_list_counts.by_id, category_item_counts.category,
  SUM(fold_list_counts.n_lists * category_item_counts.n_items - COALESCE(category_known_totals.n_known, 0)) AS n_candidates
FROM category_item_counts
JOIN fold_list_counts ON category_item_counts.fold_id = fold_list_counts.fold_id
LEFT JOIN category_known_totals
  ON fold_list_counts.by_id = category_known_totals.by_id
  AND fold_list_counts.fold_id = category_known_totals.fold_id
  AND category_item_counts.category = category_known_totals.category
GROUP BY fold_list_counts.by_id, category_item_counts.category
