-- systems: the compared systems: the distinct values of the list columns that only the recommendations have.
SELECT DISTINCT system_id
FROM recs
WHERE list_id IS NOT NULL
