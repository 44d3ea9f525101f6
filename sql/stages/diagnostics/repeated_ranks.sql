-- repeated_ranks: the ranks that occur more than once in a list.
SELECT n_rows
FROM suspect_rank_counts
WHERE n_rows > 1
