-- undefined: the value of a list for which the metric is undefined.
SELECT
  NULL AS "null", -- NULL: the list is left out of the mean, and counted
  0 AS zero, -- 0
  1 AS one -- 1
