-- baseline_top_items: the items of each list of the baseline down to the largest cutoff, each once, with its best rank.
SELECT baseline_id, item, MIN(rank) AS rank
FROM ranked_baseline
WHERE rank <= $deepest
GROUP BY baseline_id, item
