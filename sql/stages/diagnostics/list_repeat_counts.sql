-- list_repeat_counts: one row per list of the recommendations, with the number of rows that repeat an item.
SELECT recommended_list_counts.list_id, COALESCE(lists_with_repeats.n_repeated, 0) AS n_repeated
FROM recommended_list_counts
LEFT JOIN lists_with_repeats ON recommended_list_counts.list_id = lists_with_repeats.list_id
