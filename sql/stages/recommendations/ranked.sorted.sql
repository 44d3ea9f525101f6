-- ranked: one row per recommendation, with its rank. Rows with a NULL id are left out.
--
-- is_tied_with_above: 1 if the row has the same score as the row above it. It has no meaning in the first row of a list.
-- when: sorted recs and unjudged = irrelevant and not ranked among candidates
SELECT
  list_id, item, score,
  row_number - MAX(CASE WHEN is_first THEN row_number END) OVER (ROWS UNBOUNDED PRECEDING) + 1 AS rank,
  is_tied_with_above
FROM numbered_recommendations
