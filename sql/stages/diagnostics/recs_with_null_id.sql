-- recs_with_null_id: the rows of the recommendations with a NULL id.
SELECT item
FROM recs
WHERE list_id IS NULL OR item IS NULL
