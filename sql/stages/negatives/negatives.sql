-- negatives: one row per truth list and negative: an item that was drawn for the list.
SELECT truth_id, item
FROM numbered_draws
WHERE draw_number <= $n_sampled
