-- set_ap: average precision of the recommendations as a set without an order: precision times recall.
--
-- formula: \frac{|L_k \cap R|}{n} \cdot \frac{|L_k \cap R|}{|R|}
-- subject: hits
-- undefined: the list has no relevant items, or the list is empty.
-- range: [0, 1]
-- aliases: set_map, SetAP
-- source: Buckley, Voorhees (2005), Retrieval system evaluation. In: TREC, MIT Press
SELECT CAST(n_hits AS DOUBLE) * n_hits / NULLIF(CAST(n_recommended AS DOUBLE) * n_relevant, 0) AS set_ap
FROM metrics
