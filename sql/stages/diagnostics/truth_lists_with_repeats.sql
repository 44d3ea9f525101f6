-- truth_lists_with_repeats: the truth lists that repeat an item.
SELECT truth_id
FROM relevant_counts
WHERE n_rows > n_items
