-- weighted_hits_within_r: one row per hit among the first R ranks, with its weight, where R is the number of relevant items of the list.
SELECT weighted_hits.list_id, weighted_hits.rank, weighted_hits.weight
FROM weighted_hits
JOIN relevant_counts ON weighted_hits.truth_id = relevant_counts.truth_id
WHERE weighted_hits.rank <= relevant_counts.n_relevant
