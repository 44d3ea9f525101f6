-- lists_of_some_candidates: the first lists that have fewer rows than candidates.
SELECT list_id
FROM recs
WHERE list_id IS NOT NULL
GROUP BY list_id
HAVING COUNT(*) < MAX(pool)
ORDER BY list_id
LIMIT 3
