-- impressions: the recommendations of the lists that the means are taken over: lists of the truth.
--
-- when: missing = zero
SELECT recommended.list_id, recommended.item, recommended.rank
FROM recommended
JOIN truth_lists ON recommended.truth_id = truth_lists.truth_id
