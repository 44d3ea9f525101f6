-- category_pairs: one row per system and pair of recommended categories, with how far apart their mean qualities are.
SELECT a.by_id, ABS(a.quality - b.quality) AS difference
FROM category_qualities AS a
JOIN category_qualities AS b ON a.by_id = b.by_id AND a.category < b.category
