-- lists_with_suspect_ranks: one row per list whose ranks are not 1, 2, 3 and so on, because some are missing or repeated.
--
-- Sums from a single scan find these lists, and only their rows are then read rank by rank. n ranks up to n with the sum and
-- the sum of squares of 1 to n are these numbers. Only lists of six and more ranks that are made up can have both sums by
-- other ranks, such as 1, 3, 3, 4, 4, 5, 8 and 8.
SELECT list_id
FROM recommended_list_counts
WHERE last_rank <> n_ranks
  OR sum_of_ranks * 2 <> CAST(n_ranks AS DOUBLE) * (n_ranks + 1)
  OR sum_of_squares * 6 <> CAST(n_ranks AS DOUBLE) * (n_ranks + 1) * (2 * n_ranks + 1)
