-- n_repeated: how often a relevant item was recommended again among the places that count.
--
-- range: [0, inf)
SELECT COALESCE(SUM(times - 1), 0) AS n_repeated
FROM hits
WHERE rank <= $k
