-- relevant_counts: the number of rows, items and relevant items of each truth list.
--
-- n_rows: its rows. n_items: its distinct items. n_relevant: its distinct relevant items.
SELECT
  truth_id,
  COUNT(*) AS n_rows,
  COUNT(DISTINCT item) AS n_items,
  COUNT(DISTINCT item) FILTER (WHERE $relevance) AS n_relevant
FROM judgments
GROUP BY truth_id
