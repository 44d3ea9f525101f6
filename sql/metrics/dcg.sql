-- dcg: discounted cumulative gain: sum, over the hits, of gain times discount.
--
-- range: (-inf, inf)
-- source: Järvelin, Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques. doi:10.1145/582415.582418
SELECT $tied AS dcg
FROM metrics
