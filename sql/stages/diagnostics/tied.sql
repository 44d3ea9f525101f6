-- tied: for each list, whether recommendations share a score, as far as the first place beyond the deepest cutoff.
SELECT list_id, MAX(CASE WHEN n_alike > 1 THEN 1 ELSE 0 END) AS is_tied
FROM alike
GROUP BY list_id
