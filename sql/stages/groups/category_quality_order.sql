-- category_quality_order: one row per system and recommended category, the lowest mean quality first, with its position.
SELECT by_id, quality, ROW_NUMBER() OVER (PARTITION BY by_id ORDER BY quality NULLS FIRST) AS position
FROM category_qualities
