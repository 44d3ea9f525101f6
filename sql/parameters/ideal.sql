-- ideal: how many places the best list may fill.
SELECT
  $k AS k, -- as many as the list measured: the first k
  NULL AS "all" -- one for every relevant item
