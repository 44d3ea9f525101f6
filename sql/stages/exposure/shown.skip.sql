-- shown: the recommendations that a system is judged by: those of lists that have a truth.
--
-- when: missing = skip
SELECT recommended.list_id, recommended.item, recommended.rank
FROM recommended
JOIN truth_lists ON recommended.truth_id = truth_lists.truth_id
