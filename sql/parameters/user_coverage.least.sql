-- least: the number of recommendations that a list must have among the first k positions.
SELECT
  1 AS one, -- 1
  COALESCE($k, 1) AS k -- k
