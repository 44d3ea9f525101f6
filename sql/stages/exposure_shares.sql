-- exposure_shares: how often each item stands among the first k places, and what part of how many lists it is, with the
-- number of places of all items.
SELECT by_id, times, mass, SUM(times) OVER (PARTITION BY by_id) AS all_times
FROM exposure_masses
