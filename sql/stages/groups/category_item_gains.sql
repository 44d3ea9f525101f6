-- category_item_gains: one row per system, category and item of the category that is a hit, with the sum of its gains among the first k ranks of all lists.
SELECT by_id, category, item, SUM($gain) AS gain
FROM hit_categories
WHERE rank <= $k
GROUP BY by_id, category, item
