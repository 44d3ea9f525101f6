-- recall: share of the relevant items that are among the first k.
--
-- formula: \frac{1}{|R|} \sum_{i=1}^{k} \mathrm{hit}_i
-- subject: hits
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- aliases: R
-- source: Manning, Raghavan, Schütze (2008), Introduction to Information Retrieval, ch. 8. doi:10.1017/CBO9780511809071
SELECT n_hits / NULLIF($divisor, 0) AS recall
FROM metrics
