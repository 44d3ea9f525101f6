-- unidentified_truth: the rows of the truth with a NULL id.
SELECT item
FROM truth
WHERE truth_id IS NULL OR item IS NULL
