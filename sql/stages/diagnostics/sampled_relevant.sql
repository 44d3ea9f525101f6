-- sampled_relevant: the relevant items of the sampled lists, each once.
SELECT DISTINCT relevant.truth_id, relevant.item
FROM relevant
JOIN sampled_lists ON relevant.truth_id = sampled_lists.truth_id
