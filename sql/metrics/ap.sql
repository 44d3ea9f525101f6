-- ap: average precision: mean of the precision at each relevant item's rank. Its mean over lists is MAP.
--
-- undefined: nothing is relevant, or the divisor is 0, as the length of an empty list is.
-- range: [0, 1] while at=hits, and the divisor is not below min(k, relevant)
-- aliases: MAP, map, average_precision
-- source: Buckley, Voorhees (2005), Retrieval system evaluation. In: TREC, MIT Press
SELECT CASE WHEN n_relevant > 0 THEN $at / NULLIF($divisor, 0) END AS ap
FROM metrics
