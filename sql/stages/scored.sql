-- scored: the lists that the mean is taken over, with what was recommended to them.
SELECT
  lists.list_id,
  COALESCE(presence.n_rows, 0) AS n_rows,
  COALESCE(presence.n_items, 0) AS n_items
FROM lists
LEFT JOIN presence ON lists.list_id = presence.list_id
