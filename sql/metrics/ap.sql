-- ap: average precision: mean, over the relevant items, of the precision at the rank of each. Its mean over lists is MAP.
--
-- A relevant item that is not recommended adds 0.
-- formula: \frac{1}{\min(k, |R|)} \sum_{i=1}^{k} \mathrm{hit}_i \cdot \frac{1}{i} \sum_{j=1}^{i} \mathrm{hit}_j
-- subject: rank
-- undefined: the list has no relevant items, or the divisor is 0 (for example the length of an empty list).
-- range: [0, 1] if at=hits and the divisor is at least min(k, relevant)
-- aliases: MAP, map, average_precision
-- source: Buckley, Voorhees (2005), Retrieval system evaluation. In: TREC, MIT Press
SELECT CASE WHEN n_relevant > 0 THEN $at / NULLIF($divisor, 0) END AS ap
FROM metrics
