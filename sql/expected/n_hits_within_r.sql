-- n_hits_within_r: mean number of hits among the first R ranks, where R is the number of relevant items.
SELECT COALESCE(SUM(chance), 0) AS n_hits_within_r
FROM hit_chances_within_r
WHERE position <= $k
