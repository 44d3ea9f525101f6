-- exposure_counts: each number of times that an item stands among the first k places, with the places of all such items.
--
-- And what part of how many lists they are together.
SELECT by_id, times, SUM(times) AS places, SUM(mass) AS mass
FROM exposure_masses
GROUP BY by_id, times
