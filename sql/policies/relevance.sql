-- relevance: which rows of the truth a list should have found.
SELECT
  COALESCE(rating >= $rel, rating > 0) AS rated, -- those rated `rel` at least; without it, above 0
  TRUE AS "any" -- all of them, whatever their rating
FROM judgments
