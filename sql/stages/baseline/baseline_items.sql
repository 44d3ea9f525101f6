-- baseline_items: one row per list of the baseline and item, with the best rank of the item.
SELECT baseline_id, item, MIN(rank) AS rank
FROM ranked_baseline
GROUP BY baseline_id, item
