-- n_item_categories: number of categories of all items.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT category) AS n_item_categories
FROM categories
