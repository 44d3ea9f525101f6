-- eleven_point_precision: mean of the interpolated precision at the eleven recall levels 0, 0.1, 0.2, ..., 1.
--
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- source: Manning, Raghavan, Schütze (2008), Introduction to Information Retrieval, ch. 8. doi:10.1017/CBO9780511809071
SELECT CASE WHEN n_relevant > 0 THEN precisions_from_recalls / 11 END AS eleven_point_precision
FROM metrics
