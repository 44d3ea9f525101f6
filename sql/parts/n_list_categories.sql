-- n_list_categories: number of categories among the first k recommendations.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_list_categories
FROM list_category_shares
