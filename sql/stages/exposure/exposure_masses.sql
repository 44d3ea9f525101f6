-- exposure_masses: how often each item stands among the first k places, and what part of how many lists it is.
SELECT shown.by_id, shown.item, COUNT(*) AS times, SUM(CAST(1 AS DOUBLE) / list_lengths.length) AS mass
FROM shown
JOIN list_lengths ON shown.list_id = list_lengths.list_id
WHERE shown.rank <= $k
GROUP BY shown.by_id, shown.item
