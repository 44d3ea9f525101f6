-- lists_with_repeated_ranks: one row per list and rank that occurs more than once in the list.
SELECT list_id, rank
FROM suspect_rank_counts
WHERE n_rows > 1
