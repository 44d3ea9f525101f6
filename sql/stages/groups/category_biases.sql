-- category_biases: one row per system and category, with its shares of the items, of the recommendations and of the history.
SELECT
  category_totals.by_id, category_totals.category,
  category_totals.n_items / category_sums.n_items AS item_share,
  category_totals.n_impressions / category_sums.n_impressions AS recommended_share,
  category_totals.n_history / category_sums.n_history AS history_share
FROM category_totals
JOIN category_sums ON category_totals.by_id = category_sums.by_id
