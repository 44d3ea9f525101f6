-- recommended_in_baseline: one row per recommendation whose item is also in the baseline, with the larger of the item's two ranks.
--
-- rank: the larger of the ranks in the list and in the baseline, so `rank <= k` means that the item is among the first k
-- of both.
SELECT recommended.list_id, GREATEST(recommended.rank, baseline_top_items.rank) AS rank
FROM recommended
JOIN baseline_top_items ON recommended.baseline_id = baseline_top_items.baseline_id AND recommended.item = baseline_top_items.item
