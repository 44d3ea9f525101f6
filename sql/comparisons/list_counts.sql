-- list_counts: how many lists each system was scored on.
SELECT by_id, system_id, COUNT(*) AS n_lists
FROM per_list
GROUP BY by_id, system_id
