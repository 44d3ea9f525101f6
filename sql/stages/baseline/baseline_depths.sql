-- baseline_depths: one row per list of the baseline that has items down to the largest cutoff, with the last of their ranks.
SELECT baseline_id, MAX(rank) AS last_rank
FROM baseline_top_items
GROUP BY baseline_id
