-- recommended_list_counts: one row per list of the recommendations, with counts of its rows.
--
-- A list is counted even if none of its rows has an item.
-- n_rows: its rows. n_items: its rows that have an item.
-- n_without_rank: its items without a rank. n_without_score: its items without a score.
-- first_rank: its lowest rank.
-- n_ranks_to_50: its ranks up to 50. n_ranks_51_to_100: its ranks from 51 to 100.
-- powers_to_50: sum of 2^rank over its ranks up to 50. It shows whether each rank occurs once, as in rank_blocks.
-- powers_51_to_100: sum of 2^(rank - 50) over its ranks from 51 to 100. Stage rank_blocks covers later ranks.
SELECT
  list_id,
  COUNT(*) AS n_rows,
  COUNT(item) AS n_items,
  COUNT(CASE WHEN rank IS NULL THEN item END) AS n_without_rank,
  COUNT(CASE WHEN score IS NULL THEN item END) AS n_without_score,
  MIN(rank) AS first_rank,
  COUNT(CASE WHEN rank <= 50 THEN 1 END) AS n_ranks_to_50,
  SUM(CASE WHEN rank <= 50 THEN POWER(CAST(2 AS DOUBLE), rank) END) AS powers_to_50,
  COUNT(CASE WHEN rank > 50 AND rank <= 100 THEN 1 END) AS n_ranks_51_to_100,
  SUM(CASE WHEN rank > 50 AND rank <= 100 THEN POWER(CAST(2 AS DOUBLE), rank - 50) END) AS powers_51_to_100
FROM recs
WHERE list_id IS NOT NULL
GROUP BY list_id
