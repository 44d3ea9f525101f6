-- rbp: rank-biased precision: sum, over the hits, of gain times p^(rank - 1), as a share of what it could be.
--
-- undefined: nothing is relevant; normalized, the list is empty, too.
-- range: [0, 1] while gains are
-- source: Moffat, Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness. doi:10.1145/1416950.1416952
SELECT CASE WHEN n_relevant > 0 THEN patience_gains / NULLIF($of, 0) END AS rbp
FROM metrics
