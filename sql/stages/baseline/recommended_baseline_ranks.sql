-- recommended_baseline_ranks: one row per recommendation whose item is in the baseline, with the item's rank there.
SELECT recommended.list_id, recommended.rank, baseline_items.rank AS baseline_rank
FROM recommended
JOIN baseline_items ON recommended.baseline_id = baseline_items.baseline_id AND recommended.item = baseline_items.item
