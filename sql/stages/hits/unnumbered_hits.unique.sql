-- unnumbered_hits: one row per hit (list and recommended relevant item). No item is repeated, so each hit is one match.
--
-- when: unique recs, truth and duplicates = once, first, refused
SELECT
  list_id,
  item,
  rank,
  rank AS worst_rank,
  rating,
  1 AS times
FROM matches
