-- repeated_lists: the lists of a system that have several rows, with how many.
SELECT by_id, list_id, system_id, COUNT(*) AS n_rows
FROM per_list
GROUP BY by_id, list_id, system_id
HAVING COUNT(*) > 1
