-- negatives_most: negatives in the list that has the most
--
-- needs: negatives
-- shown: if any
-- combined: maximum
SELECT COALESCE(MAX(n_negatives), 0) AS negatives_most
FROM negative_counts
