-- bpref: binary preference: mean, over the relevant items, of the share of judged irrelevant items that do not rank above it.
--
-- Judged irrelevant items are the rows of the truth that are not relevant. Items that are not in the truth are ignored.
-- With R relevant and N judged irrelevant items, at most R items above a hit count, and their number is divided by min(R, N).
-- A relevant item that is not recommended adds 0.
-- formula: \frac{1}{|R|} \sum_{i=1}^{k} \mathrm{hit}_i \left(1 - \frac{\min(|R|, a_i)}{\min(|R|, |N|)}\right)
-- subject: rank
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- source: Buckley, Voorhees (2004), Retrieval evaluation with incomplete information. doi:10.1145/1008992.1009000
SELECT CASE WHEN n_relevant > 0 THEN (n_judged_hits - COALESCE(n_irrelevant_above_hits / CAST(NULLIF(LEAST(n_relevant, n_irrelevant), 0) AS DOUBLE), $alone)) / n_relevant END AS bpref
FROM metrics
