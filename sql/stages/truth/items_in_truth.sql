-- items_in_truth: one row per item that is in the truth of any list.
SELECT DISTINCT item
FROM truth
WHERE truth_id IS NOT NULL AND item IS NOT NULL
