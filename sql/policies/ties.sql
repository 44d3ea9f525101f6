-- ties: the order of equal scores, if there is no rank column.
SELECT
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, item) AS item, -- lower item first
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, item DESC NULLS LAST) AS item_desc, -- higher item first
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, input_row) AS input, -- in the order of the input
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY CAST(score AS REAL) DESC NULLS LAST, CAST(item AS TEXT) DESC NULLS LAST) AS text_desc, -- higher item first, compared as text: 99 before 100; scores are equal if they are equal as 32-bit numbers (trec_eval)
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, item) AS expected, -- no order: the exact mean over all orders of equal scores
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, item) AS best, -- relevant items first, the highest rating before the others
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, item) AS worst -- relevant items last, the highest rating after the others
FROM recs
