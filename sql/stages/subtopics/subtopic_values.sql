-- subtopic_values: one row per truth list, subtopic and relevant item of the subtopic, with the worth that the item has at the top of a list.
--
-- kept: the share of the worth that the next item of the subtopic keeps. item_number: numbers the items of the list.
SELECT
  truth_id, subtopic, CAST(1 AS DOUBLE) AS worth, 1 - CAST($redundancy AS DOUBLE) AS kept,
  DENSE_RANK() OVER (PARTITION BY truth_id ORDER BY item) AS item_number
FROM subtopic_items
