-- unnumbered_hits: the relevant items that were recommended, once for each of their ranks in the list.
--
-- when: duplicates = each
SELECT
  list_id,
  item,
  rank,
  MAX(rating) AS rating,
  1 AS times
FROM matches
GROUP BY list_id, item, rank
