-- precision: share of the first k places that hold a relevant item.
--
-- undefined: the divisor is 0, as the length of an empty list is.
-- range: [0, 1]
-- aliases: P
-- source: Manning, Raghavan, Schütze (2008), Introduction to Information Retrieval, ch. 8. doi:10.1017/CBO9780511809071
SELECT n_hits / NULLIF($divisor, 0) AS "precision"
FROM metrics
