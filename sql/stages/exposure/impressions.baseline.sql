-- impressions: the recommendations of the lists that the means are taken over: lists of the baseline.
--
-- when: missing = baseline
SELECT recommended.list_id, recommended.item, recommended.rank
FROM recommended
JOIN baseline_lists ON recommended.baseline_id = baseline_lists.baseline_id
