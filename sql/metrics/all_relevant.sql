-- all_relevant: 1 if all relevant items are among the first k recommendations, else 0. Its mean over lists is the share of complete lists.
--
-- A question that needs several documents can be answered from a complete list only.
-- formula: \left\lfloor \frac{|L_k \cap R|}{|R|} \right\rfloor
-- subject: hits
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- values: 0 or 1
-- aliases: recall_all, full_recall, chain_completeness
-- source: Wu et al. (2025), LongMemEval: benchmarking chat assistants on long-term interactive memory. arXiv 2410.10813
SELECT CASE WHEN n_relevant > 0 THEN CASE WHEN n_distinct_hits = n_relevant THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END END AS all_relevant
FROM metrics
