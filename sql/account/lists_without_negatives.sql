-- lists_without_negatives: lists without negatives
--
-- needs: negatives
SELECT COUNT(CASE WHEN n_negatives = 0 THEN 1 END) AS lists_without_negatives
FROM list_negative_counts
