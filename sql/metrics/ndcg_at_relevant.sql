-- ndcg_at_relevant: mean, over the relevant items, of the ndcg at the rank of each.
--
-- A relevant item that is not among the first k adds the ndcg at rank k.
-- formula: \frac{1}{|R|} \left(\sum_{i=1}^{k} \mathrm{hit}_i \cdot \mathrm{ndcg}_i + \left(|R| - \sum_{i=1}^{k} \mathrm{hit}_i\right) \cdot \mathrm{ndcg}_k\right)
-- subject: graded
-- undefined: the list has no relevant items, or their gains are 0.
-- range: [0, 1] if no gain is negative
-- source: trec_eval 9, measure ndcg_rel (experimental; Buckley, 2008)
SELECT (ndcg_at_hits + (n_relevant - n_hits) * dcg_by_rank / NULLIF(ideal_dcg_by_rank, 0)) / n_relevant AS ndcg_at_relevant
FROM metrics
