-- hits_with_pool_above: the hits, with the number of items of the truth, of relevant items and of judged irrelevant items above each.
SELECT
  list_id, rank,
  n_pool_so_far - 1 AS n_pool_above,
  n_relevant_so_far - 1 AS n_relevant_above,
  n_irrelevant_so_far AS n_irrelevant_above
FROM running_pool_counts
WHERE is_relevant = 1
