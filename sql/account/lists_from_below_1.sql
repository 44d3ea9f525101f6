-- lists_from_below_1: lists whose ranks start below 1
--
-- needs: given ranks
-- counted: in doubt
SELECT COUNT(*) AS lists_from_below_1
FROM recommended_list_counts
WHERE first_rank < 1
