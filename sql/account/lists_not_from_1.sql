-- lists_not_from_1: lists whose ranks do not start at 1
--
-- needs: checked ranks
-- counted: in doubt
SELECT COUNT(*) AS lists_not_from_1
FROM recommended_list_counts
WHERE first_rank <> 1
