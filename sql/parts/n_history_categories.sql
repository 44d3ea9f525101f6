-- n_history_categories: categories of what the list's owner knew before.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_history_categories
FROM history_category_shares
