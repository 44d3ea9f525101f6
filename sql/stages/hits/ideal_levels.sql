-- ideal_levels: one row per truth list and rating of a relevant item, with the first rank of the rating in an ideal list.
SELECT truth_id, rating, MIN(rank) AS first_rank
FROM ideal_order
GROUP BY truth_id, rating
