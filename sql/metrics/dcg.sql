-- dcg: discounted cumulative gain: sum, over the hits, of gain times discount.
--
-- range: (-inf, inf)
-- source: Järvelin, Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques. doi:10.1145/582415.582418
SELECT COALESCE(SUM($gain * $discount), 0) AS dcg
FROM hits
WHERE rank <= $k
