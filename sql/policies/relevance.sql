-- relevance: the rows of the truth that are relevant.
SELECT
  COALESCE(rating >= $rel, rating > 0) AS rated, -- rows with a rating of at least `rel`; without `rel`, rows with a rating above 0
  TRUE AS "any" -- all rows, whatever their rating
FROM judgments
