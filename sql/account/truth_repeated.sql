-- truth_repeated: rows of the truth that repeat an item of their list; the highest rating counts
--
-- shown: if any
SELECT COALESCE(SUM(n_rows - n_items), 0) AS truth_repeated
FROM relevant_counts
