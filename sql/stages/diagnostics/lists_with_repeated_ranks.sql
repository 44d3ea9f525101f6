-- lists_with_repeated_ranks: the ranks that occur more than once in a list, with the list.
SELECT list_id, rank
FROM suspect_rank_counts
WHERE n_rows > 1
