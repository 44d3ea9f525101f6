-- history_category_shares: one row per list of the history and category, with the category's share. The shares of a list add up to 1.
SELECT history_id, fold_id, category, weight / SUM(weight) OVER (PARTITION BY history_id, fold_id) AS share
FROM history_category_weights
