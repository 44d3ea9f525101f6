-- alike: how many recommendations of a list share a score, as far as the first place beyond the deepest cutoff.
SELECT list_id, score, COUNT(*) AS n_alike
FROM ranked
WHERE rank <= $deepest + 1
GROUP BY list_id, score
