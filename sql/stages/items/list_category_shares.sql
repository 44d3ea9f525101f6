-- list_category_shares: the share of each category among the first k ranks; the shares of a list add up to 1.
SELECT list_id, category, weight / SUM(weight) OVER (PARTITION BY list_id) AS share
FROM list_category_weights
