-- least: how many items a list must hold among the first k places.
SELECT
  1 AS one, -- one
  COALESCE($k, 1) AS k -- k
