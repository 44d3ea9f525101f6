-- judged_items: the items that the truth mentions, for whatever list.
SELECT DISTINCT item
FROM truth
WHERE truth_id IS NOT NULL AND item IS NOT NULL
