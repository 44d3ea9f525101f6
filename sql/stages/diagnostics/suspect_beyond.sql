-- suspect_beyond: the lists whose ranks beyond 100 are not one after the other: some are left out, or repeat.
SELECT DISTINCT list_id
FROM rank_blocks
WHERE n_ranks > 50 OR sum_of_powers <> POWER(CAST(2 AS DOUBLE), n_ranks + 1) - 2
