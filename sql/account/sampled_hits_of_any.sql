-- sampled_hits_of_any: pairs of a recommendation of a sampled list and a sampled list whose truth has the item
SELECT COALESCE(SUM(n_lists), 0) AS sampled_hits_of_any
FROM sampled_hits_of_any
