-- relevant_counts: one row per truth list, with counts such as the number of its relevant items.
--
-- n_rows: the rows of the list. n_items: its distinct items. n_relevant: its distinct relevant items.
SELECT
  truth_id,
  COUNT(*) AS n_rows,
  COUNT(DISTINCT item) AS n_items,
  COUNT(DISTINCT item) FILTER (WHERE $relevance) AS n_relevant
FROM judgments
GROUP BY truth_id
