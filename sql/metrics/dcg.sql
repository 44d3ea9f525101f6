-- dcg: discounted cumulative gain: sum of gain times discount over the hits.
--
-- formula: \sum_{i=1}^{k} g_i d_i
-- subject: graded
-- range: (-inf, inf)
-- source: Järvelin, Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques. doi:10.1145/582415.582418
SELECT $tied AS dcg
FROM metrics
