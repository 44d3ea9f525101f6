-- ties: what stands first among equal scores, where no rank column says.
SELECT
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, item) AS item, -- the lower item
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, item DESC NULLS LAST) AS item_desc, -- the higher item
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, input_row) AS input, -- what comes first in the input
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY CAST(score AS REAL) DESC NULLS LAST, CAST(item AS TEXT) DESC NULLS LAST) AS text_desc -- the higher item, read as text: 99 before 100; scores are equal if they are in 32 bits (trec_eval)
FROM recs
