-- suspect: the lists whose ranks are not 1, 2, 3 and so on: some ranks are left out, or repeat.
--
-- Told from sums in one scan, so that only these are looked at rank by rank.
SELECT DISTINCT list_id
FROM rank_blocks
WHERE n_ranks > 50 OR sum_of_powers <> POWER(CAST(2 AS DOUBLE), n_ranks + 1) - 2
