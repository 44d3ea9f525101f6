-- ratings: one row per list and item that the judge or people labelled, with the highest rating of each.
WITH labels_of_both AS (
  SELECT
    truth_id,
    item,
    rating AS judge,
    CAST(NULL AS DOUBLE) AS people,
    1 AS in_truth,
    CAST(NULL AS INT) AS in_labels
  FROM truth
  UNION ALL
  SELECT
    truth_id,
    item,
    CAST(NULL AS DOUBLE) AS judge,
    rating AS people,
    CAST(NULL AS INT) AS in_truth,
    1 AS in_labels
  FROM labels
)
SELECT
  truth_id,
  item,
  MAX(judge) AS judge,
  MAX(people) AS people,
  MAX(in_truth) AS in_truth,
  MAX(in_labels) AS in_labels
FROM labels_of_both
GROUP BY truth_id, item
