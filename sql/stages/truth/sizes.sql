-- sizes: every list of the truth, with how much it holds.
--
-- n_rows, n_items: its rows, and its different items. n_relevant: those of the items that are relevant.
SELECT
  truth_id,
  COUNT(*) AS n_rows,
  COUNT(DISTINCT item) AS n_items,
  COUNT(DISTINCT item) FILTER (WHERE $relevance) AS n_relevant
FROM judgments
GROUP BY truth_id
