-- repeated_lists: one row per system and list that has several rows, with the number of rows.
SELECT by_id, list_id, system_id, COUNT(*) AS n_rows
FROM per_list
GROUP BY by_id, list_id, system_id
HAVING COUNT(*) > 1
