-- repeated_ranks: the ranks that a list has more than once.
SELECT times
FROM rank_counts
WHERE times > 1
