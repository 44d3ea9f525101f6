-- lengths: whether lists of different lengths are compared.
SELECT
  TRUE AS "any", -- yes, by their cosine similarity
  (shortest = longest) AS equal -- no: if lengths differ, the metric is undefined
FROM runs
