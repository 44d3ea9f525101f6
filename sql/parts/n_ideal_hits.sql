-- n_ideal_hits: number of hits among the first k positions of the ideal list.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_ideal_hits
FROM ideal
WHERE rank <= $k
