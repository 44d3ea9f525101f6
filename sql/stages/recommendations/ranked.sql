-- ranked: one row per recommendation, with its rank. Rows with a NULL id are left out.
--
-- is_tied_with_above: 1 if the row has the same score as the row above it. It has no meaning in the first row of a list.
SELECT
  list_id, item, score, $ties AS rank,
  CASE WHEN score = $score_above OR (score IS NULL AND $score_above IS NULL) THEN 1 ELSE 0 END AS is_tied_with_above
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
