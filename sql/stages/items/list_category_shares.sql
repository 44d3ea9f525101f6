-- list_category_shares: one row per list and category, with its share among the first k ranks. The shares of a list add up to 1.
SELECT list_id, category, weight / SUM(weight) OVER (PARTITION BY list_id) AS share
FROM list_category_weights
