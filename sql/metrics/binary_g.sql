-- binary_g: binary normalized gain: mean, over the relevant items, of 1 / log2(2 + the misses above the item).
--
-- A relevant item that is not recommended adds 0.
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- aliases: binG
-- source: trec_eval 9, measure binG (experimental; Buckley, 2008)
SELECT discounts_by_misses / NULLIF(n_relevant, 0) AS binary_g
FROM metrics
