-- score_counts: one row per list and score, with the number of recommendations down to one rank past the largest cutoff.
SELECT list_id, score, COUNT(*) AS n_rows
FROM ranked
WHERE rank <= $deepest + 1
GROUP BY list_id, score
