-- negatives_most: most negatives of a list
--
-- needs: negatives
-- shown: if any
SELECT COALESCE(MAX(n_negatives), 0) AS negatives_most
FROM negative_counts
