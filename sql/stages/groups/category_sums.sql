-- category_sums: one row per system, with its numbers of items, recommendations and items in the history that have a category.
--
-- A sum is NULL instead of 0.
SELECT by_id, SUM(n_items) AS n_items, NULLIF(SUM(n_impressions), 0) AS n_impressions, NULLIF(SUM(n_history), 0) AS n_history
FROM category_totals
GROUP BY by_id
