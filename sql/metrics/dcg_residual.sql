-- dcg_residual: how much `dcg` could rise at most, if every item that nobody judged were relevant: those of the list, and those below its end.
--
-- With gain=binary, dcg is the value if no other item is relevant, and dcg + dcg_residual the value if all others are. With other
-- gains, multiply dcg_residual by the highest gain.
-- formula: \sum_{i=1}^{k} (1 - \mathrm{judged}_i) d_i
-- subject: counts
-- cutoff: needed
-- better: lower
-- range: [0, inf)
-- source: Moffat, Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness. doi:10.1145/1416950.1416952
SELECT discounts_to_k - judged_discounts AS dcg_residual
FROM metrics
