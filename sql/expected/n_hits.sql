-- n_hits: mean number of hits among the first k ranks.
SELECT COALESCE(SUM(chance), 0) AS n_hits
FROM hit_chances
WHERE position <= $k
