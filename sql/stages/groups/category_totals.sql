-- category_totals: one row per system and category, with its numbers of items, of recommendations among the first k of all lists and of items in the history.
SELECT
  category_item_totals.by_id, category_item_totals.category, category_item_totals.n_items,
  COALESCE(category_impression_totals.n_impressions, 0) AS n_impressions,
  COALESCE(category_history_totals.n_history, 0) AS n_history
FROM category_item_totals
LEFT JOIN category_impression_totals
  ON category_item_totals.by_id = category_impression_totals.by_id
  AND category_item_totals.category = category_impression_totals.category
LEFT JOIN category_history_totals
  ON category_item_totals.by_id = category_history_totals.by_id
  AND category_item_totals.category = category_history_totals.category
