-- cold_items: the split without test rows of items that have no other rows.
WITH item_knowledge AS (
  SELECT
    *,
    MAX(CASE WHEN subset = 'test' THEN 0 ELSE 1 END) OVER (PARTITION BY fold, item_id) AS is_known_item
  FROM assigned
  WHERE subset IS NOT NULL
)
SELECT *, subset
FROM item_knowledge
WHERE subset <> 'test' OR is_known_item = 1
