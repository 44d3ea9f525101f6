-- numbered_recommendations: one row per sorted recommendation, with its number among all rows.
--
-- is_first: true for the first row of a list. is_tied_with_above: 1 if the row has the same score as the row above it.
-- materialized: never, since rows that are kept may be read in another order.
SELECT
  list_id, item, score,
  ROW_NUMBER() OVER () AS row_number,
  ROW(list_id) IS DISTINCT FROM LAG(ROW(list_id)) OVER () AS is_first,
  CASE WHEN score = LAG(score) OVER () OR (score IS NULL AND LAG(score) OVER () IS NULL) THEN 1 ELSE 0 END AS is_tied_with_above
FROM sorted_recommendations
