-- ndcg_at_levels: mean of the ndcg at the last rank that each gain has in the ideal list, and at the last rank of a list longer than R + 1.
--
-- R is the number of relevant items. With 2 items of gain 3 and 4 items of gain 1, these are the ranks 2 and 6, and the last rank
-- of a list of 8 items or more. A shorter list keeps its dcg down to these ranks; so does a list that is cut at rank k.
-- formula: \frac{1}{|E|} \sum_{i \in E} \mathrm{ndcg}_i
-- subject: graded
-- undefined: the list has no relevant items, or their gains are 0.
-- range: [0, 1] if no gain is negative
-- source: trec_eval 9, measure Rndcg (experimental; Buckley, 2008)
SELECT
  (ndcg_at_level_ends + CASE WHEN n_recommended > n_relevant + 1 THEN dcg_by_rank ELSE 0 END / NULLIF(ideal_dcg_by_rank, 0))
  / (n_levels + CASE WHEN n_recommended > n_relevant + 1 THEN 1 ELSE 0 END) AS ndcg_at_levels
FROM metrics
