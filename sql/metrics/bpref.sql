-- bpref: binary preference: mean, over the relevant items, of the share of judged irrelevant items that do not stand above it.
--
-- The truth rows that are not relevant are the judged irrelevant items; a place that nobody judged is passed over.
-- With R relevant and N irrelevant items, at most R of those above count, and they are divided by min(R, N).
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- source: Buckley, Voorhees (2004), Retrieval evaluation with incomplete information. doi:10.1145/1008992.1009000
SELECT CASE WHEN n_relevant > 0 THEN (n_judged_hits - COALESCE(n_irrelevant_above_hits / CAST(NULLIF(LEAST(n_relevant, n_irrelevant), 0) AS DOUBLE), $alone)) / n_relevant END AS bpref
FROM metrics
