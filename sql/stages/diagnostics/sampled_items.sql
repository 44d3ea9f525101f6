-- sampled_items: the sampled lists, with how many recommendations they have, and how many different items in them.
SELECT list_id, COUNT(item) AS n_items, COUNT(DISTINCT item) AS n_different
FROM sampled_places
GROUP BY list_id
