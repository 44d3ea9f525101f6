-- weighted_precision: precision with weighted ranks: sum of the discounts of the hits, divided by the discounts of the first k recommendations.
--
-- formula: \frac{\sum_{i=1}^{k} \mathrm{hit}_i d_i}{\sum_{i=1}^{n} d_i}
-- subject: rank
-- undefined: the list has no relevant items, or the list is empty.
-- range: [0, 1]
-- source: Moffat, Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness. doi:10.1145/1416950.1416952
SELECT CASE WHEN n_relevant > 0 THEN discounted_hits / NULLIF(discounts, 0) END AS weighted_precision
FROM metrics
