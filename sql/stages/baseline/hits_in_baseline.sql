-- hits_in_baseline: the hits whose item is also in the baseline, with the larger of its two ranks.
--
-- rank: the larger of the two ranks, so `rank <= k` means that the item is among the first k of both.
SELECT hits.list_id, GREATEST(hits.rank, baseline_top_items.rank) AS rank
FROM hits
JOIN baseline_top_items ON hits.baseline_id = baseline_top_items.baseline_id AND hits.item = baseline_top_items.item
