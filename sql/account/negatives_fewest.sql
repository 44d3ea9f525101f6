-- negatives_fewest: negatives in the list that has the fewest
--
-- needs: negatives
-- shown: if any
-- combined: minimum
SELECT COALESCE(MIN(n_negatives), 0) AS negatives_fewest
FROM negative_counts
