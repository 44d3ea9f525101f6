-- items_in_truth: the distinct items of the whole truth.
SELECT DISTINCT item
FROM truth
WHERE truth_id IS NOT NULL AND item IS NOT NULL
