-- recommendations_with_pool: one row per recommendation, with the number of candidates that the list was ranked from.
--
-- rank: from the rank column, or NULL if there is none. pool: from the pool column, or the rank of the row if there is none.
SELECT list_id, score, rank, COALESCE(pool, $ties) AS pool
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
