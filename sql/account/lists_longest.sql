-- lists_longest: recommendations in the longest list
--
-- combined: maximum
SELECT COALESCE(MAX(n_items), 0) AS lists_longest
FROM recommended_list_counts
