-- unnumbered_hits: one row per hit (list and recommended relevant item), with the best rank of the item.
--
-- rating: the highest rating of the item in the truth of the list. times: the number of its ranks in the list.
-- worst_rank: the last of these ranks.
SELECT
  list_id,
  item,
  MIN(rank) AS rank,
  MAX(rank) AS worst_rank,
  MAX(rating) AS rating,
  COUNT(DISTINCT rank) AS times
FROM matches
GROUP BY list_id, item
