-- ideal: the relevant items of each truth list in the ideal order, highest rating first.
SELECT truth_id, rating, ROW_NUMBER() OVER (PARTITION BY truth_id ORDER BY rating DESC) AS rank
FROM distinct_judgments
WHERE $relevance
