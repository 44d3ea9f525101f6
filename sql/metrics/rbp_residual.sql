-- rbp_residual: how much `rbp` could rise at most, if every item that nobody judged were relevant: those of the list, and those below its end.
--
-- By default, the items of the truth are judged. With gain=binary, rbp is the value if no other item is relevant, and
-- rbp + rbp_residual the value if all others are; the true value is between them.
-- formula: 1 - (1 - p) \sum_{i=1}^{k} \mathrm{judged}_i p^{i-1}
-- subject: counts
-- undefined: the list has no relevant items, as for rbp.
-- better: lower
-- range: [0, 1]
-- source: Moffat, Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness. doi:10.1145/1416950.1416952
SELECT CASE WHEN n_relevant > 0 THEN 1 - (1 - CAST($p AS DOUBLE)) * judged_patience END AS rbp_residual
FROM metrics
