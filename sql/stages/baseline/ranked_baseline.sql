-- ranked_baseline: one row per recommendation of the baseline, with its rank. Rows with a NULL id are left out.
SELECT baseline_id, item, $ties AS rank
FROM baseline
WHERE baseline_id IS NOT NULL AND item IS NOT NULL
