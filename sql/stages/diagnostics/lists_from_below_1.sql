-- lists_from_below_1: one row per list whose ranks start below 1.
SELECT list_id
FROM recommended_list_counts
WHERE first_rank < 1
