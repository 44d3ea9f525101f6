-- list_depths: one row per list, with its last rank down to the largest cutoff.
SELECT list_id, MAX(rank) AS depth
FROM recommended
GROUP BY list_id
