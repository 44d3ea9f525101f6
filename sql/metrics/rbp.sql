-- rbp: rank-biased precision: sum of gain times p^(rank - 1) over the hits, divided by its highest possible value.
--
-- formula: (1 - p) \sum_{i=1}^{k} g_i p^{i-1}
-- subject: graded
-- undefined: the list has no relevant items; with of=best, also if the list is empty.
-- range: [0, 1] if all gains are between 0 and 1
-- source: Moffat, Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness. doi:10.1145/1416950.1416952
SELECT CASE WHEN n_relevant > 0 THEN patience_gains / NULLIF($of, 0) END AS rbp
FROM metrics
