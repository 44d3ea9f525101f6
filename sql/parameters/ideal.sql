-- ideal: the length of the ideal list.
SELECT
  $k AS k, -- at most k items, as many as the list may have
  NULL AS "all" -- all relevant items
