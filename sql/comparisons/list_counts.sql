-- list_counts: one row per system, with the number of its lists.
SELECT by_id, system_id, COUNT(*) AS n_lists
FROM per_list
GROUP BY by_id, system_id
