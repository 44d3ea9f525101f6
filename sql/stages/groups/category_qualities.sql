-- category_qualities: one row per system and recommended category, with the mean quality of its recommended items: the mean gain of their recommendations.
SELECT
  category_item_impressions.by_id, category_item_impressions.category,
  AVG(COALESCE(category_item_gains.gain, 0) / category_item_impressions.n_impressions) AS quality
FROM category_item_impressions
LEFT JOIN category_item_gains
  ON category_item_impressions.by_id = category_item_gains.by_id
  AND category_item_impressions.category = category_item_gains.category
  AND category_item_impressions.item = category_item_gains.item
GROUP BY category_item_impressions.by_id, category_item_impressions.category
