-- enough: the condition that a list must meet; otherwise, the metric is undefined.
SELECT
  TRUE AS "any", -- nothing
  n_relevant > 0 AS relevant, -- a relevant item
  (n_relevant >= $min_relevant AND pool_size >= GREATEST($k, $min_pool) AND (COALESCE(scores_differ, 1) = 1 OR pool_size > last_rank)) AS reaches, -- at least min_relevant relevant items, and a ranking of at least k and at least min_pool candidates; if the list holds the last candidate, the scores must not all be equal
  (n_relevant >= $min_relevant AND pool_size >= GREATEST($k, $min_pool) AND (COALESCE(scores_differ, 1) = 1 OR pool_size > last_rank) AND pool_size > n_relevant) AS discerns, -- at least min_relevant relevant items, and a ranking of at least k and at least min_pool candidates, one of them irrelevant; if the list holds the last candidate, the scores must not all be equal
  (n_relevant >= $min_relevant AND pool_size >= GREATEST($k + 1, $min_pool) AND (COALESCE(scores_differ, 1) = 1 OR pool_size > last_rank) AND pool_size > n_relevant) AS exceeds -- at least min_relevant relevant items, and a ranking of more than k and at least min_pool candidates, one of them irrelevant; if the list holds the last candidate, the scores must not all be equal
FROM metrics
