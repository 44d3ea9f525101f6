-- found: the relevant items that were recommended, once for each place they took.
--
-- when: duplicates = each
SELECT
  list_id,
  item,
  rank,
  MAX(rating) AS rating,
  1 AS times
FROM matched
GROUP BY list_id, item, rank
