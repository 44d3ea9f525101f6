-- suspect_rank_counts: the number of rows of each rank in the lists with suspect ranks.
SELECT recs.list_id, recs.rank, COUNT(*) AS n_rows
FROM recs
JOIN lists_with_suspect_ranks ON recs.list_id = lists_with_suspect_ranks.list_id
WHERE recs.rank IS NOT NULL
GROUP BY recs.list_id, recs.rank
