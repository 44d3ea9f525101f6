-- recommended_depths: one row per list that has recommendations down to the largest cutoff, with the last of their ranks.
SELECT list_id, MAX(rank) AS last_rank
FROM recommended
GROUP BY list_id
