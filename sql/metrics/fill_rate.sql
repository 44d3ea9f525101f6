-- fill_rate: share of the first k positions that hold a recommendation; with per=list, 1 if all k positions do, else 0.
--
-- A missing list has 0.
-- formula: \frac{n}{k}
-- subject: counts
-- cutoff: needed
-- range: [0, 1]
-- source: RecTools 0.19, rectools.metrics.SufficientReco
SELECT $per AS fill_rate
FROM metrics
