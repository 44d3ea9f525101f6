-- recommendations_with_pool: every recommendation of a list, with the number of candidates that the list was ranked from.
--
-- rank: from the rank column; NULL without one. pool: that number, from the pool column; without a pool column, the rank
-- of the row.
SELECT list_id, score, rank, COALESCE(pool, $ties) AS pool
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
