-- truth_lists: lists that have a truth
SELECT COUNT(*) AS truth_lists
FROM truth_lists
