-- overlap: the items that a list and its baseline share, each once, with the larger of its two ranks.
--
-- rank: the larger of the two ranks, so `rank <= k` means that the item is among the first k of both.
SELECT
  recommended.list_id, recommended.item,
  GREATEST(MIN(recommended.rank), MIN(baseline_top_items.rank)) AS rank
FROM recommended
JOIN baseline_top_items ON recommended.baseline_id = baseline_top_items.baseline_id AND recommended.item = baseline_top_items.item
GROUP BY recommended.list_id, recommended.item
