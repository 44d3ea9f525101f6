-- unnumbered_hits: the relevant items that were recommended, each once, with its best rank and its highest rating.
--
-- times: at how many ranks of the list the item stands.
SELECT
  list_id,
  item,
  MIN(rank) AS rank,
  MAX(rating) AS rating,
  COUNT(DISTINCT rank) AS times
FROM matches
GROUP BY list_id, item
