-- sampled_pairs: pairs of recommendations of the same item in sampled lists of a row of the summary, each also with itself
SELECT COALESCE(SUM(n_rows * n_rows), 0) AS sampled_pairs
FROM sampled_item_counts
