-- sizes: every list of the truth, and how many different items are relevant to it.
SELECT truth_id, COUNT(DISTINCT item) FILTER (WHERE $relevance) AS n_relevant
FROM judgments
GROUP BY truth_id
