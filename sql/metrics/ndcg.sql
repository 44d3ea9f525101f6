-- ndcg: normalized discounted cumulative gain: dcg divided by the dcg of the ideal list.
--
-- formula: \frac{\sum_{i=1}^{k} g_i d_i}{\sum_{i=1}^{k} g^{\ast}_i d_i}
-- subject: graded
-- undefined: the list has no relevant items.
-- range: [0, 1] if no gain is negative
-- source: Järvelin, Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques. doi:10.1145/582415.582418
SELECT dcg / NULLIF($share, 0) AS ndcg
FROM metrics
