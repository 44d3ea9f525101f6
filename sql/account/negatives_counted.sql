-- negatives_counted: negatives of all lists
--
-- needs: negatives
SELECT COALESCE(SUM(n_negatives), 0) AS negatives_counted
FROM negative_counts
