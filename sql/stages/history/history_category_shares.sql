-- history_category_shares: the share of each category in a list of the history; the shares of a list add up to 1.
SELECT history_id, fold_id, category, weight / SUM(weight) OVER (PARTITION BY history_id, fold_id) AS share
FROM history_category_weights
