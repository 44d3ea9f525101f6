-- recommended_item_flags: one row per recommended item, with a flag for items that are in the truth of any list.
SELECT recommended_items.item, CASE WHEN items_in_truth.item IS NULL THEN 0 ELSE 1 END AS is_in_truth
FROM recommended_items
LEFT JOIN items_in_truth ON recommended_items.item = items_in_truth.item
