-- r_precision: precision at rank R, where R is the number of relevant items of the list; at rank k, if k is less than R.
--
-- formula: \frac{1}{\min(k, |R|)} \sum_{i=1}^{\min(k, |R|)} \mathrm{hit}_i
-- subject: hits
-- undefined: the list has no relevant items; with hitless=undefined, also if it has no hit at the ranks that are read.
-- range: [0, 1]
-- aliases: Rprec, rprec
-- source: Manning, Raghavan, Schütze (2008), Introduction to Information Retrieval, ch. 8. doi:10.1017/CBO9780511809071
SELECT $hitless / NULLIF($divisor, 0) AS r_precision
FROM metrics
