-- n_hits_within_r: relevant items found among the first R places, R being how many items are relevant.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_hits_within_r
FROM hits_within_r
WHERE rank <= $k
