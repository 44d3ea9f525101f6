-- lists_with_suspect_ranks: one row per list whose ranks are not 1, 2, 3 and so on, because some are missing or repeated.
--
-- Sums from a single scan find these lists. Only their rows are then read rank by rank.
SELECT recommended_list_counts.list_id
FROM recommended_list_counts
LEFT JOIN lists_with_suspect_ranks_beyond_100 ON recommended_list_counts.list_id = lists_with_suspect_ranks_beyond_100.list_id
WHERE lists_with_suspect_ranks_beyond_100.list_id IS NOT NULL
  OR recommended_list_counts.n_ranks_to_50 > 50 OR recommended_list_counts.powers_to_50 <> POWER(CAST(2 AS DOUBLE), recommended_list_counts.n_ranks_to_50 + 1) - 2
  OR recommended_list_counts.n_ranks_51_to_100 > 50 OR recommended_list_counts.powers_51_to_100 <> POWER(CAST(2 AS DOUBLE), recommended_list_counts.n_ranks_51_to_100 + 1) - 2
