-- score_groups: the first and the last rank of each score in a list.
SELECT list_id, score, MIN(rank) AS first_rank, MAX(rank) AS last_rank
FROM ranked
GROUP BY list_id, score
