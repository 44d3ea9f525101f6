-- rbp: rank-biased precision: (1 - p) times the sum, over the hits, of p^(rank - 1).
--
-- undefined: nothing is relevant.
-- range: [0, 1]
-- source: Moffat, Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness. doi:10.1145/1416950.1416952
SELECT CASE WHEN n_relevant > 0 THEN (1 - $p) * patient_hits END AS rbp
FROM metrics
