-- suspect_rank_counts: one row per rank of each list with missing or repeated ranks, with the number of rows.
SELECT recs.list_id, recs.rank, COUNT(*) AS n_rows
FROM recs
JOIN lists_with_suspect_ranks ON recs.list_id = lists_with_suspect_ranks.list_id
WHERE recs.rank IS NOT NULL
GROUP BY recs.list_id, recs.rank
