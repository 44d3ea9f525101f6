-- exposure_shares: how often each item stands among the first k places, with the number of places of all items.
--
-- And what part of how many lists each is.
SELECT by_id, times, mass, SUM(times) OVER (PARTITION BY by_id) AS all_times
FROM exposure_masses
