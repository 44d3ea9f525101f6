-- repeated_ranks: one row per list and rank that occurs more than once in the list, with the number of its rows.
SELECT n_rows
FROM suspect_rank_counts
WHERE n_rows > 1
