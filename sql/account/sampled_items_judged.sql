-- sampled_items_judged: distinct items that are relevant for a sampled list
SELECT COUNT(*) AS sampled_items_judged
FROM sampled_item_frequencies
