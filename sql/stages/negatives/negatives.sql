-- negatives: the items that are drawn for each list, to rank its relevant items among.
SELECT truth_id, item
FROM numbered_draws
WHERE draw_number <= $n_sampled
