-- n_list_items: rows that the list has among the recommendations and that have an item.
--
-- undefined: the list has no row.
-- range: [0, inf)
SELECT MAX(n_items) AS n_list_items
FROM recommended_list_counts
