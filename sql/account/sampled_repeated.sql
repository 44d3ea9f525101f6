-- sampled_repeated: recommendations of the sampled lists of an item that their list has already
--
-- needs: single positions
-- shown: if any
SELECT COALESCE(SUM(n_items - n_distinct_items), 0) AS sampled_repeated
FROM sampled_list_counts
