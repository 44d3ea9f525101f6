-- fall_out: share of the irrelevant candidates that are among the first k.
--
-- The candidates are the items of the list. A list may also hold only its first items; then a pool column gives the number of
-- candidates. All relevant items count as candidates.
-- formula: \frac{n - |L_k \cap R|}{|M| - |R|}
-- subject: classification
-- undefined: the list has no irrelevant candidates, or is empty.
-- better: lower
-- range: (-inf, inf); [0, 1] if all relevant items are candidates, and no candidate repeats
-- aliases: fallout, false_positive_rate
-- source: C. D. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval" (2008), section 8.3.
SELECT (n_recommended - n_hits) / CAST(NULLIF(pool_size - n_relevant, 0) AS DOUBLE) AS fall_out
FROM metrics
