-- ranked_among_all: one row per recommendation, with its rank among all recommendations of its list.
--
-- when: sorted recs
SELECT
  list_id, item, score,
  row_number - MAX(CASE WHEN is_first THEN row_number END) OVER (ROWS UNBOUNDED PRECEDING) + 1 AS rank
FROM numbered_recommendations
