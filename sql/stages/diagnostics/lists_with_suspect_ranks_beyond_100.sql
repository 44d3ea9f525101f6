-- lists_with_suspect_ranks_beyond_100: one row per list whose ranks beyond 100 are not consecutive, because some are missing or repeated.
SELECT DISTINCT list_id
FROM rank_blocks
WHERE n_ranks > 50 OR sum_of_powers <> POWER(CAST(2 AS DOUBLE), n_ranks + 1) - 2
