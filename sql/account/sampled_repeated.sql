-- sampled_repeated: recommendations of the sampled lists that repeat an item of their list
--
-- needs: rank
-- shown: if any
SELECT COALESCE(SUM(n_items - n_distinct_items), 0) AS sampled_repeated
FROM sampled_list_counts
