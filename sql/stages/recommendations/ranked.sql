-- ranked: every recommendation with its rank.
--
-- Rows with a NULL id are left out.
-- is_alike: whether it has the score of the one above it; of the first of a list it says nothing.
SELECT
  list_id, item, score, $ties AS rank,
  CASE WHEN score = $score_above OR (score IS NULL AND $score_above IS NULL) THEN 1 ELSE 0 END AS is_alike
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
