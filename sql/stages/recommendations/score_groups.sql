-- score_groups: for each score in a list, from which rank to which it stands.
SELECT list_id, score, MIN(rank) AS first_rank, MAX(rank) AS last_rank
FROM ranked
GROUP BY list_id, score
