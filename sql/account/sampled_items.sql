-- sampled_items: distinct items that are recommended in the sampled lists
SELECT COUNT(*) AS sampled_items
FROM sampled_item_counts
