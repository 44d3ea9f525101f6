-- last_rank: last rank of the list, at any depth; without a rank column, the number of its recommendations.
--
-- undefined: the list is missing or empty.
-- range: [0, inf)
SELECT COALESCE(CAST(MAX(rank) AS BIGINT), COUNT(*)) AS last_rank
FROM recommendations_with_pool
