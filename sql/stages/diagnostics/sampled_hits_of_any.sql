-- sampled_hits_of_any: one row per row of the summary and item that is recommended in its sampled lists and relevant for a sampled list, with the number of pairs of both.
SELECT sampled_item_counts.by_id, sampled_item_counts.item, sampled_item_counts.n_rows * sampled_item_frequencies.n_lists AS n_pairs
FROM sampled_item_counts
JOIN sampled_item_frequencies ON sampled_item_counts.item = sampled_item_frequencies.item
