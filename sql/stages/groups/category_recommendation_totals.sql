-- category_recommendation_totals: one row per system and category, with the number of its items among the first k of all lists.
--
-- A list counts an item once.
SELECT by_id, category, COUNT(*) AS n_recommended
FROM recommended_category_items
WHERE rank <= $k
GROUP BY by_id, category
