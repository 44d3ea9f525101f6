-- truth_with_null_id: the rows of the truth with a NULL id.
SELECT item
FROM truth
WHERE truth_id IS NULL OR item IS NULL
