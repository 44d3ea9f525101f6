-- shown: the recommendations that a system is judged by: those of lists that have a baseline.
--
-- when: missing = baseline
SELECT recommended.list_id, recommended.item, recommended.rank
FROM recommended
JOIN baseline_lists ON recommended.baseline_id = baseline_lists.baseline_id
