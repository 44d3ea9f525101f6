-- first_occurrences: one row per list and item, with its best rank and its highest score.
SELECT list_id, item, MIN(rank) AS first_rank, MAX(score) AS score
FROM ranked
GROUP BY list_id, item
