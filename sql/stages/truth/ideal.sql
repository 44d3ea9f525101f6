-- ideal: one row per truth list and relevant item, ranked by rating, the highest first.
SELECT truth_id, rating, ROW_NUMBER() OVER (PARTITION BY truth_id ORDER BY rating DESC) AS rank
FROM distinct_judgments
WHERE $relevance
