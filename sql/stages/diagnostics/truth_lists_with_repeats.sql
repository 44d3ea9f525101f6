-- truth_lists_with_repeats: one row per truth list that repeats an item.
SELECT truth_id
FROM relevant_counts
WHERE n_rows > n_items
