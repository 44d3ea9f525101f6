-- outranked: the hits, with how many judged irrelevant items stand above each, at most as many as are relevant.
SELECT judged_order.list_id, judged_order.rank, LEAST(judged_order.n_irrelevant, sizes.n_relevant) AS n_above
FROM judged_order
JOIN sizes ON judged_order.truth_id = sizes.truth_id
WHERE judged_order.is_relevant = 1
