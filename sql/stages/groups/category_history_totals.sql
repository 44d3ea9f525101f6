-- category_history_totals: one row per system and category, with the number of its items in the history of all scored lists.
--
-- An item with several categories counts in equal parts in each.
SELECT lists.by_id, history_category_weights.category, SUM(history_category_weights.weight) AS n_history
FROM lists
JOIN history_category_weights
  ON lists.history_id = history_category_weights.history_id AND lists.fold_id = history_category_weights.fold_id
GROUP BY lists.by_id, history_category_weights.category
