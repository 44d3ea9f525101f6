-- recommended_baseline_ranks: the recommendations, with the rank of the item in the baseline.
SELECT recommended.list_id, recommended.rank, baseline_items.rank AS baseline_rank
FROM recommended
JOIN baseline_items ON recommended.baseline_id = baseline_items.baseline_id AND recommended.item = baseline_items.item
