-- category_hit_totals: one row per system and category, with the number of its hits among the first k of all lists.
SELECT by_id, category, COUNT(*) AS n_hits
FROM hit_categories
WHERE rank <= $k
GROUP BY by_id, category
