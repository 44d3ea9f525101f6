-- ideal_dcg: discounted cumulative gain of the ideal list, which ranks the relevant items by rating.
--
-- formula: \sum_{i=1}^{k} g^{\ast}_i d_i
-- subject: graded
-- better: neither
-- range: (-inf, inf)
-- aliases: idcg
-- source: Järvelin, Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques. doi:10.1145/582415.582418
SELECT COALESCE(SUM($negatives * $discount), 0) AS ideal_dcg
FROM ideal
WHERE rank <= $ideal
