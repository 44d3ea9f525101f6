-- systems: what was measured: each value of the list columns that the truth has not.
SELECT DISTINCT system_id
FROM recs
WHERE list_id IS NOT NULL
