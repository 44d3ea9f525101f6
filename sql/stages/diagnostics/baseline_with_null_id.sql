-- baseline_with_null_id: the rows of the baseline with a NULL id.
SELECT item
FROM baseline
WHERE baseline_id IS NULL OR item IS NULL
