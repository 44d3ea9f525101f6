-- promoted: the recommendations with the rank that the baseline gave the item.
SELECT recommended.list_id, recommended.rank, baseline_firsts.rank AS baseline_rank
FROM recommended
JOIN baseline_firsts ON recommended.baseline_id = baseline_firsts.baseline_id AND recommended.item = baseline_firsts.item
