-- baseline_items: the items of each list of the baseline, each once, with its best rank.
SELECT baseline_id, item, MIN(rank) AS rank
FROM ranked_baseline
GROUP BY baseline_id, item
