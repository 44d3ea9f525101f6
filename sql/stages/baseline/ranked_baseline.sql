-- ranked_baseline: every row of the baseline with its rank; rows with a NULL id are left out.
SELECT baseline_id, item, $ties AS rank
FROM baseline
WHERE baseline_id IS NOT NULL AND item IS NOT NULL
