-- presence: every list of the recommendations, with how much it holds.
--
-- A list whose every row lacks an item is there, and empty.
-- n_rows, n_items: its rows, and those of them that have an item.
-- n_unranked, n_scoreless: its items without a rank, and without a score. first_rank: its lowest rank.
-- n_fifty, n_hundred: its ranks down to 50, and from there down to 100. powers_fifty, powers_hundred: those ranks as
-- sums of powers of two, which tell whether there is each once, as in rank_blocks, where what is deeper is.
SELECT
  list_id,
  COUNT(*) AS n_rows,
  COUNT(item) AS n_items,
  COUNT(CASE WHEN rank IS NULL THEN item END) AS n_unranked,
  COUNT(CASE WHEN score IS NULL THEN item END) AS n_scoreless,
  MIN(rank) AS first_rank,
  COUNT(CASE WHEN rank <= 50 THEN 1 END) AS n_fifty,
  SUM(CASE WHEN rank <= 50 THEN POWER(CAST(2 AS DOUBLE), rank) END) AS powers_fifty,
  COUNT(CASE WHEN rank > 50 AND rank <= 100 THEN 1 END) AS n_hundred,
  SUM(CASE WHEN rank > 50 AND rank <= 100 THEN POWER(CAST(2 AS DOUBLE), rank - 50) END) AS powers_hundred
FROM recs
WHERE list_id IS NOT NULL
GROUP BY list_id
