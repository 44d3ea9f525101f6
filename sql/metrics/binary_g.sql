-- binary_g: binary normalized gain: mean, over the relevant items, of 1 / log2(2 + the misses above the item).
--
-- A relevant item that is not recommended adds 0.
-- formula: \frac{1}{|R|} \sum_{i=1}^{k} \frac{\mathrm{hit}_i}{\log_2 (2 + i - h_i)}
-- subject: rank
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- aliases: binG
-- source: trec_eval 9, measure binG (experimental; Buckley, 2008)
SELECT discounts_by_misses / NULLIF(n_relevant, 0) AS binary_g
FROM metrics
