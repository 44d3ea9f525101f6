-- judged: the rows of the truth that count as judged.
SELECT
  TRUE AS "any", -- all rows
  rating >= 0 AS from_zero -- rows with a rating of 0 or more; a negative rating means that nobody judged the item (trec_eval)
FROM judgments
