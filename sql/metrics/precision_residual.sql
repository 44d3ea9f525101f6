-- precision_residual: how much `precision` could rise at most, if every item that nobody judged were relevant: those of the list, and those below its end.
--
-- precision is the value if no other item is relevant, and precision + precision_residual the value if all others are.
-- formula: 1 - \frac{1}{k} \sum_{i=1}^{k} \mathrm{judged}_i
-- subject: counts
-- cutoff: needed
-- better: lower
-- range: [0, 1]
-- source: Moffat, Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness. doi:10.1145/1416950.1416952
SELECT 1 - n_judged_items / CAST($k AS DOUBLE) AS precision_residual
FROM metrics
