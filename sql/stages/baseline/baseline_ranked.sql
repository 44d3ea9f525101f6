-- baseline_ranked: every recommendation of the baseline with its rank.
SELECT baseline_id, item, $ties AS rank
FROM baseline
WHERE baseline_id IS NOT NULL AND item IS NOT NULL
