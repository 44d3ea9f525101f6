-- sampled_lists: one row per sampled list, the first 500 lists of the truth, with the number of its relevant items.
--
-- They are enough to judge whether the recommendations are plausible, and few enough to read all of their rows.
SELECT truth_id, n_relevant
FROM relevant_counts
ORDER BY truth_id
LIMIT 500
