-- hits_in_baseline: one row per hit whose item is also in the baseline, with the larger of the item's two ranks.
--
-- rank: the larger of the ranks in the list and in the baseline, so `rank <= k` means that the item is among the first k
-- of both.
SELECT hits.list_id, GREATEST(hits.rank, baseline_top_items.rank) AS rank
FROM hits
JOIN baseline_top_items ON hits.baseline_id = baseline_top_items.baseline_id AND hits.item = baseline_top_items.item
