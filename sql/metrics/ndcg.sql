-- ndcg: normalized discounted cumulative gain: dcg as a share of the best there is.
--
-- undefined: nothing is relevant.
-- range: [0, 1] while no gain is negative
-- source: Järvelin, Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques. doi:10.1145/582415.582418
SELECT dcg / NULLIF($share, 0) AS ndcg
FROM metrics
