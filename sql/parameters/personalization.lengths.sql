-- lengths: whether lists of unequal length are compared.
SELECT
  TRUE AS "any", -- they are, as the cosine weighs them
  (shortest = longest) AS equal -- they are not: the metric is undefined
FROM runs
