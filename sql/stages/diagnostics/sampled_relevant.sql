-- sampled_relevant: one row per sampled list and relevant item.
SELECT DISTINCT relevant.truth_id, relevant.item
FROM relevant
JOIN sampled_lists ON relevant.truth_id = sampled_lists.truth_id
