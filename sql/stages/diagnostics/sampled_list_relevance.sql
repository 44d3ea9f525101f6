-- sampled_list_relevance: one row per sampled list and system, and relevant item of the list.
SELECT sampled_list_counts.list_id, sampled_relevant.item
FROM sampled_list_counts
JOIN sampled_relevant ON sampled_list_counts.truth_id = sampled_relevant.truth_id
