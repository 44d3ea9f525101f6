-- recommended_list_counts: one row per list of the recommendations, with counts of its rows.
--
-- A list is counted even if none of its rows has an item.
-- n_rows: its rows. n_items: its rows that have an item.
-- n_without_rank: its items without a rank. n_without_score: its items without a score.
-- first_rank: its lowest rank. last_rank: its highest rank. n_ranks: its rows with a rank.
-- sum_of_ranks, sum_of_squares: of its ranks. FLOOR says that they are sums of whole numbers, which are exact in any order.
SELECT
  list_id,
  COUNT(*) AS n_rows,
  COUNT(item) AS n_items,
  COUNT(CASE WHEN rank IS NULL AND item IS NOT NULL THEN 1 END) AS n_without_rank,
  COUNT(CASE WHEN score IS NULL AND item IS NOT NULL THEN 1 END) AS n_without_score,
  MIN(rank) AS first_rank,
  MAX(rank) AS last_rank,
  COUNT(rank) AS n_ranks,
  SUM(FLOOR(CAST(rank AS DOUBLE))) AS sum_of_ranks,
  SUM(FLOOR(CAST(rank AS DOUBLE) * rank)) AS sum_of_squares
FROM recs
WHERE list_id IS NOT NULL
GROUP BY list_id
