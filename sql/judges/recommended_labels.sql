-- recommended_labels: how many of the items that people labelled are recommended.
WITH labelled AS (
  SELECT DISTINCT item FROM labels
),
recommended AS (
  SELECT DISTINCT item FROM recs
)
SELECT COUNT(*) AS n
FROM labelled
INNER JOIN recommended ON labelled.item = recommended.item
