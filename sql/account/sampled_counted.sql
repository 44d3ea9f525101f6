-- sampled_counted: recommendations of the sampled lists
SELECT COALESCE(SUM(n_items), 0) AS sampled_counted
FROM sampled_list_counts
