-- presence: every list of the recommendations, with how much it holds.
--
-- A list whose every row lacks an item is there, and empty.
-- n_rows, n_items: its rows, and those of them that have an item.
-- n_unranked, n_scoreless: its items without a rank, and without a score. first_rank: its lowest rank.
SELECT
  list_id,
  COUNT(*) AS n_rows,
  COUNT(item) AS n_items,
  COUNT(CASE WHEN rank IS NULL THEN item END) AS n_unranked,
  COUNT(CASE WHEN score IS NULL THEN item END) AS n_scoreless,
  MIN(rank) AS first_rank
FROM recs
WHERE list_id IS NOT NULL
GROUP BY list_id
