-- hits: one row per hit, numbered from the top of the list. Hits come after other items with the same score.
--
-- A hit is a relevant item that is recommended. hit_number: 1 for the first hit of a list, 2 for the second, and so on.
-- when: ties = worst
SELECT
  hits_placed_last.list_id, hits_placed_last.item,
  COALESCE(repeats_placed_last.rank_of_first, hits_placed_last.rank) AS rank,
  hits_placed_last.rating, hits_placed_last.times,
  ROW_NUMBER() OVER (PARTITION BY hits_placed_last.list_id ORDER BY hits_placed_last.rank) AS hit_number
FROM hits_placed_last
LEFT JOIN repeats_placed_last
  ON hits_placed_last.list_id = repeats_placed_last.list_id AND hits_placed_last.rank = repeats_placed_last.rank
