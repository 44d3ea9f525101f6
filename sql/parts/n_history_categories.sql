-- n_history_categories: number of categories in the history of the list.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_history_categories
FROM history_category_shares
