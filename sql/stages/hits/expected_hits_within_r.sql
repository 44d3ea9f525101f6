-- expected_hits_within_r: every rank among the first R that may hold a hit, over all orders of equal scores.
--
-- R is the number of relevant items of the list. chance: the share of the orders in which the rank holds a hit.
SELECT expected_hits.list_id, expected_hits.rank, expected_hits.position, expected_hits.chance
FROM expected_hits
JOIN relevant_counts ON expected_hits.truth_id = relevant_counts.truth_id
WHERE expected_hits.rank <= relevant_counts.n_relevant
