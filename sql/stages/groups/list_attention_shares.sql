-- list_attention_shares: one row per list and category, with its share of the attention of the list. The shares of a list add up to 1.
SELECT list_id, category, attention / SUM(attention) OVER (PARTITION BY list_id) AS share
FROM list_category_attention
