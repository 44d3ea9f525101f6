-- r_precision: precision at rank R, where R is the number of relevant items of the list; at rank k, if k is less than R.
--
-- formula: \frac{1}{\min(k, |R|)} \sum_{i=1}^{\min(k, |R|)} \mathrm{hit}_i
-- subject: hits
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- aliases: Rprec, rprec
-- source: Manning, Raghavan, Schütze (2008), Introduction to Information Retrieval, ch. 8. doi:10.1017/CBO9780511809071
SELECT n_hits_within_r / NULLIF(LEAST($k, n_relevant), 0) AS r_precision
FROM metrics
