-- judged: which rows of the truth say that somebody judged the item.
SELECT
  TRUE AS "any", -- all of them
  rating >= 0 AS from_zero -- those rated 0 or above: a negative rating says that nobody did (trec_eval)
FROM judgments
