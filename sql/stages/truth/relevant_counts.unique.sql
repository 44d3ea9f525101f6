-- relevant_counts: one row per truth list, with counts such as the number of its relevant items. No item is repeated.
--
-- n_rows: the rows of the list. n_items: its items. n_relevant: its relevant items.
-- when: unique truth
SELECT
  truth_id,
  COUNT(*) AS n_rows,
  COUNT(item) AS n_items,
  COUNT(item) FILTER (WHERE $relevance) AS n_relevant
FROM judgments
GROUP BY truth_id
