-- lists_not_from_1: one row per list whose ranks do not start at 1.
SELECT list_id
FROM recommended_list_counts
WHERE first_rank <> 1
