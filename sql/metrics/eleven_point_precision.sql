-- eleven_point_precision: mean of the interpolated precision at the eleven recall levels 0, 0.1, 0.2, ..., 1.
--
-- formula: \frac{1}{11} \sum_{\rho \in \lbrace 0, 0.1, \ldots, 1 \rbrace} \max_{i \le k : h_i \ge \lfloor \rho |R| + 0.9 \rfloor} \frac{h_i}{i}
-- subject: rank
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- source: Manning, Raghavan, Schütze (2008), Introduction to Information Retrieval, ch. 8. doi:10.1017/CBO9780511809071
SELECT CASE WHEN n_relevant > 0 THEN precisions_from_recalls / 11 END AS eleven_point_precision
FROM metrics
