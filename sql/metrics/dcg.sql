-- dcg: discounted cumulative gain: sum of gain times discount over the hits.
--
-- range: (-inf, inf)
-- source: Järvelin, Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques. doi:10.1145/582415.582418
SELECT $tied AS dcg
FROM metrics
