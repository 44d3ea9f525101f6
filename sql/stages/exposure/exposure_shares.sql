-- exposure_shares: each number of times that an item stands among the first k places, with the number of all places.
--
-- Numbers of times in the place of items: what is added up as one piece is short, however many items there are.
SELECT by_id, times, places, mass, SUM(places) OVER (PARTITION BY by_id) AS all_places
FROM exposure_counts
