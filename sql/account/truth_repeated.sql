-- truth_repeated: rows of the truth with an item that their list has already; the highest rating counts
--
-- shown: if any
-- needs: single judgments
SELECT COALESCE(SUM(n_rows - n_items), 0) AS truth_repeated
FROM relevant_counts
