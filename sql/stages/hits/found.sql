-- found: the relevant items that were recommended, each once, at its best rank and with its highest rating.
--
-- times: how many places of the list the item took.
SELECT
  list_id,
  item,
  MIN(rank) AS rank,
  MAX(rating) AS rating,
  COUNT(DISTINCT rank) AS times
FROM matched
GROUP BY list_id, item
