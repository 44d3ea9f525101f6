-- recommended_items_not_in_train: recommended items that the train set does not have
WITH known AS (
  SELECT DISTINCT item, 1 AS is_known
  FROM train
)
SELECT DISTINCT recs.item
FROM recs
LEFT JOIN known ON recs.item = known.item
WHERE known.is_known IS NULL
