-- pools: the recommendations with the number of candidates that their list was ranked from, or else their rank.
SELECT list_id, score, COALESCE(pool, $ties) AS pool
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
