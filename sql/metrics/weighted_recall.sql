-- weighted_recall: recall with weighted ranks: sum of the discounts of the hits, divided by the number of relevant items.
--
-- With discount=reciprocal, this is the MRR of MIND: the mean of 1 / rank over all clicks of an impression.
-- formula: \frac{1}{|R|} \sum_{i=1}^{k} \mathrm{hit}_i d_i
-- subject: rank
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- source: Wu et al. (2020), MIND: a large-scale dataset for news recommendation. doi:10.18653/v1/2020.acl-main.331
SELECT discounted_hits / NULLIF(n_relevant, 0) AS weighted_recall
FROM metrics
