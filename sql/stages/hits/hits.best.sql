-- hits: one row per hit, numbered from the top of the list. Hits come before other items with the same score.
--
-- A hit is a relevant item that is recommended. hit_number: 1 for the first hit of a list, 2 for the second, and so on.
-- when: ties = best
SELECT
  list_id, item, rank, rating, times,
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY rank) AS hit_number
FROM hits_placed_first
