-- hit_residual: how much `hit` could rise at most, if every item that nobody judged were relevant: 1 if no judged item is a hit, and an unjudged item may be one.
--
-- An unjudged item may be in the list, or below its end.
-- formula: (1 - \max_{1 \le i \le k} \mathrm{hit}_i) (1 - \min_{1 \le i \le k} \mathrm{judged}_i)
-- subject: counts
-- cutoff: needed
-- undefined: the list has no relevant items, as for hit.
-- better: lower
-- range: [0, 1]
-- values: 0 or 1
-- source: Moffat, Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness. doi:10.1145/1416950.1416952
SELECT CASE WHEN n_relevant > 0 THEN CASE WHEN n_hits = 0 AND n_judged_items < $k THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END END AS hit_residual
FROM metrics
