-- r_precision: precision among the first R places, R being how many items are relevant (k, if that is less).
--
-- undefined: nothing is relevant.
-- range: [0, 1]
-- aliases: Rprec, rprec
-- source: Manning, Raghavan, Schütze (2008), Introduction to Information Retrieval, ch. 8. doi:10.1017/CBO9780511809071
SELECT n_hits_within_r / NULLIF(LEAST($k, n_relevant), 0) AS r_precision
FROM metrics
