-- rank_blocks: one row per list and block of fifty ranks beyond 100, with a sum of powers of two.
--
-- 2 + 4 + ... + 2^n is a sum of n powers of two in one way only. So n ranks with this sum are the ranks 1 to n, each once.
SELECT
  list_id,
  FLOOR((rank - 1) / 50) AS block,
  COUNT(*) AS n_ranks,
  SUM(POWER(CAST(2 AS DOUBLE), rank - 50 * FLOOR((rank - 1) / 50))) AS sum_of_powers
FROM recs
WHERE list_id IS NOT NULL AND rank > 100
GROUP BY list_id, FLOOR((rank - 1) / 50)
