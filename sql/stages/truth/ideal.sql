-- ideal: the relevant items in the best order there is, highest rating first.
SELECT truth_id, rating, ROW_NUMBER() OVER (PARTITION BY truth_id ORDER BY rating DESC) AS rank
FROM judged
WHERE $relevance
