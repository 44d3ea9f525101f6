-- category_biases: one row per system and category, with its shares of the items, of the recommendations and of the history.
SELECT
  category_item_totals.by_id, category_item_totals.category,
  category_item_totals.n_items / SUM(category_item_totals.n_items) OVER (PARTITION BY category_item_totals.by_id) AS item_share,
  COALESCE(category_impression_totals.n_impressions, 0)
    / SUM(category_impression_totals.n_impressions) OVER (PARTITION BY category_item_totals.by_id) AS recommended_share,
  COALESCE(category_history_totals.n_history, 0)
    / SUM(category_history_totals.n_history) OVER (PARTITION BY category_item_totals.by_id) AS history_share
FROM category_item_totals
LEFT JOIN category_impression_totals
  ON category_item_totals.by_id = category_impression_totals.by_id
  AND category_item_totals.category = category_impression_totals.category
LEFT JOIN category_history_totals
  ON category_item_totals.by_id = category_history_totals.by_id
  AND category_item_totals.category = category_history_totals.category
