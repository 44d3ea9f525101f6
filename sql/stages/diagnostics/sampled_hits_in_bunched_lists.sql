-- sampled_hits_in_bunched_lists: one row per sampled hit in a list whose scores bunch at the high end, with flags for the half of the list.
SELECT sampled_hits.list_id, sampled_hits.item, sampled_hits.is_low, sampled_hits.is_high
FROM sampled_hits
JOIN sampled_list_scores ON sampled_hits.list_id = sampled_list_scores.list_id
WHERE sampled_list_scores.is_bunched = 1
