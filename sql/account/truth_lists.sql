-- truth_lists: lists of the truth
SELECT COUNT(*) AS truth_lists
FROM relevant_counts
