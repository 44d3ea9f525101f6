-- precision: share of the first k positions that hold a relevant item.
--
-- formula: \frac{1}{k} \sum_{i=1}^{k} \mathrm{hit}_i
-- subject: hits
-- undefined: the divisor is 0 (for example the length of an empty list).
-- range: [0, 1]
-- aliases: P
-- source: Manning, Raghavan, Schütze (2008), Introduction to Information Retrieval, ch. 8. doi:10.1017/CBO9780511809071
SELECT n_hits / NULLIF($divisor, 0) AS "precision"
FROM metrics
