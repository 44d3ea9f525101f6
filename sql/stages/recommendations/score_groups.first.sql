-- score_groups: the first and the last rank of each score in a list.
--
-- when: duplicates = first
SELECT list_id, score, MIN(rank) AS first_rank, MAX(rank) AS last_rank
FROM ranked_without_repeats
GROUP BY list_id, score
