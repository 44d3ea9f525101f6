-- baseline_top_items: one row per list of the baseline and item down to the largest cutoff, with the best rank of the item.
SELECT baseline_id, item, MIN(rank) AS rank
FROM ranked_baseline
WHERE rank <= $deepest
GROUP BY baseline_id, item
