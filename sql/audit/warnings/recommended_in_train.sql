-- recommended_in_train: recommended items that the train set has for the same list
WITH known AS (
  SELECT DISTINCT train_id, item
  FROM train
)
SELECT DISTINCT recs.list_id, recs.item
FROM recs
INNER JOIN known ON recs.train_id = known.train_id AND recs.item = known.item
