-- sizes: how many items are relevant to each list.
SELECT truth_id, COUNT(DISTINCT item) AS n_relevant
FROM relevant
GROUP BY truth_id
