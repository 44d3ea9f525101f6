-- n_list_categories: categories of the first k places.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_list_categories
FROM list_category_shares
