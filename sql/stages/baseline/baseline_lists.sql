-- baseline_lists: one row per list of the baseline.
SELECT DISTINCT baseline_id
FROM baseline
WHERE baseline_id IS NOT NULL AND item IS NOT NULL
