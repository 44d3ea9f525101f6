-- score_counts: how many recommendations of a list share a score, down to one rank past the largest cutoff.
SELECT list_id, score, COUNT(*) AS n_rows
FROM ranked
WHERE rank <= $deepest + 1
GROUP BY list_id, score
