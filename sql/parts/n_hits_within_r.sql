-- n_hits_within_r: number of hits among the first R ranks, where R is the number of relevant items.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_hits_within_r
FROM hits_within_r
WHERE rank <= $k
