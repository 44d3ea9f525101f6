-- items_of_several_files: the first item of a list that two files hold, with these files.
SELECT list_id, item, MIN($file) AS first_file, MAX($file) AS last_file
FROM files
WHERE list_id IS NOT NULL AND item IS NOT NULL
GROUP BY list_id, item
HAVING MIN($file) <> MAX($file)
ORDER BY list_id, item
LIMIT 1
