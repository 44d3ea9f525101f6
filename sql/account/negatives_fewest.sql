-- negatives_fewest: fewest negatives of a list
--
-- needs: negatives
-- shown: if any
SELECT COALESCE(MIN(n_negatives), 0) AS negatives_fewest
FROM negative_counts
