-- labels_known: items shown that have a label
--
-- needs: shown
SELECT COALESCE(SUM(n_rows), 0) AS labels_known
FROM relevant_counts
