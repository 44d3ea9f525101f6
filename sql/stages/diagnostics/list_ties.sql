-- list_ties: one row per list, with a flag for equal scores down to one rank past the largest cutoff.
SELECT list_id, MAX(CASE WHEN n_rows > 1 THEN 1 ELSE 0 END) AS is_tied
FROM score_counts
GROUP BY list_id
