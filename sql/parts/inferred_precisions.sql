-- inferred_precisions: sum, over the hits, of the precision at the rank of the hit, estimated from the judged items above it.
--
-- 0.00001 is added to the relevant and to the irrelevant items above a hit, as in trec_eval: without judged items, half of the pool is taken to be relevant.
-- range: [0, inf)
SELECT COALESCE(SUM(
  (1 + n_pool_above * (n_relevant_above + CAST(0.00001 AS DOUBLE)) / (n_relevant_above + n_irrelevant_above + 2 * CAST(0.00001 AS DOUBLE)))
  / rank
), 0) AS inferred_precisions
FROM hits_with_pool_above
WHERE rank <= $k
