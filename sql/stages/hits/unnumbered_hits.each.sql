-- unnumbered_hits: one row per hit. An item that a list repeats is a hit at each of its ranks.
--
-- when: duplicates = each
SELECT
  list_id,
  item,
  rank,
  rank AS worst_rank,
  MAX(rating) AS rating,
  1 AS times
FROM matches
GROUP BY list_id, item, rank
