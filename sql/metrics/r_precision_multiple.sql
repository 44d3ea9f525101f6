-- r_precision_multiple: precision at rank `multiple` times R, where R is the number of relevant items of the list; at rank k, if k is less.
--
-- The rank is multiple * R + 0.9, rounded down. A shorter list counts as if irrelevant items filled it up.
-- formula: \frac{1}{\min(k, \lfloor \mu |R| + 0.9 \rfloor)} \sum_{i=1}^{\min(k, \lfloor \mu |R| + 0.9 \rfloor)} \mathrm{hit}_i
-- subject: hits
-- undefined: the list has no relevant items, or the rank is 0.
-- range: [0, 1]
-- source: Buckley, Voorhees (2005), Retrieval system evaluation. In: TREC, MIT Press
SELECT CAST(n_hits_within_multiple AS DOUBLE) / NULLIF(LEAST($k, FLOOR(CAST($multiple AS DOUBLE) * n_relevant + CAST(0.9 AS DOUBLE))), 0) AS r_precision_multiple
FROM metrics
