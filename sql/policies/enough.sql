-- enough: what a list must have to be measured; else the metric is undefined.
SELECT
  TRUE AS "any", -- nothing
  n_relevant > 0 AS relevant, -- a relevant item
  (n_relevant >= $min_relevant AND pool_size >= GREATEST($k, $min_pool) AND (COALESCE(scores_differ, 1) = 1 OR pool_size > n_candidates)) AS reaches, -- min_relevant relevant items, a ranking of k and min_pool candidates at least, and, where the list holds all of them, not all of one score
  (n_relevant >= $min_relevant AND pool_size >= GREATEST($k, $min_pool) AND (COALESCE(scores_differ, 1) = 1 OR pool_size > n_candidates) AND pool_size > n_relevant) AS discerns, -- min_relevant relevant items, a ranking of k and min_pool candidates at least, and, where the list holds all of them, not all of one score; and an irrelevant candidate
  (n_relevant >= $min_relevant AND pool_size >= GREATEST($k + 1, $min_pool) AND (COALESCE(scores_differ, 1) = 1 OR pool_size > n_candidates) AND pool_size > n_relevant) AS exceeds -- min_relevant relevant items, a ranking of min_pool candidates and of more than k at least, and, where the list holds all of them, not all of one score; and an irrelevant candidate
FROM metrics
