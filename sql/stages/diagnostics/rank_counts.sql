-- rank_counts: how often a suspect list has each of its ranks.
SELECT recs.list_id, recs.rank, COUNT(*) AS times
FROM recs
JOIN suspect ON recs.list_id = suspect.list_id
WHERE recs.rank IS NOT NULL
GROUP BY recs.list_id, recs.rank
