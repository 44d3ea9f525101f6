-- hits: one row per hit, numbered from the top of the list.
--
-- A hit is a relevant item that is recommended. hit_number: 1 for the first hit of a list, 2 for the second, and so on.
SELECT
  list_id, item, rank, rating, times,
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY rank) AS hit_number
FROM unnumbered_hits
