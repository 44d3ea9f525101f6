-- hits_with_pool_above: one row per hit, with the numbers of truth items, relevant items and judged irrelevant items above it.
SELECT
  list_id, rank,
  n_pool_so_far - 1 AS n_pool_above,
  n_relevant_so_far - 1 AS n_relevant_above,
  n_irrelevant_so_far AS n_irrelevant_above
FROM running_pool_counts
WHERE is_relevant = 1
