-- candidates_with_null_id: the rows of the candidates with a NULL id.
SELECT item
FROM candidates
WHERE candidates_id IS NULL OR item IS NULL
