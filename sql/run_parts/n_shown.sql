-- n_shown: different items among the first k places of all lists.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_shown
FROM shown
WHERE rank <= $k
