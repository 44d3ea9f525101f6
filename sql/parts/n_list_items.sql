-- n_list_items: number of rows of the list that have an item.
--
-- undefined: the list has no rows.
-- range: [0, inf)
SELECT MAX(n_items) AS n_list_items
FROM recommended_list_counts
