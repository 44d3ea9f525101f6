-- user_coverage: share of the lists that have at least one recommendation among the first k positions; with least=k, all k.
--
-- subject: coverage
-- formula: \frac{1}{|S|} \left|\lbrace s \in S : n \ge 1 \rbrace\right|
-- range: [0, 1]; [0, inf) with unit=count
-- source: Ge, Delgado-Battenfeld, Jannach (2010), Beyond accuracy: evaluating recommender systems by coverage and serendipity. doi:10.1145/1864708.1864761
SELECT $unit AS user_coverage
FROM metrics
