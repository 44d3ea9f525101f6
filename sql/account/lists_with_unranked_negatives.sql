-- lists_with_unranked_negatives: lists that do not rank all of their negatives
--
-- needs: negatives
SELECT COUNT(CASE WHEN n_negatives_ranked < n_negatives THEN 1 END) AS lists_with_unranked_negatives
FROM list_negative_counts
