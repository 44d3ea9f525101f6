-- lists_of_several_files: a row if a list of the recommendations is in two files.
SELECT 1 AS is_divided
FROM (
  SELECT list_id
  FROM files
  WHERE list_id IS NOT NULL
  GROUP BY list_id
  -- a text takes twice as long
  HAVING MIN(HASH($file)) <> MAX(HASH($file))
) AS divided
LIMIT 1
