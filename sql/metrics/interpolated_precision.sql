-- interpolated_precision: interpolated precision at a recall level: the highest precision at the rank of any hit from which on the list has the share `at_recall` of the relevant items.
--
-- The number of items at a recall level is at_recall times the number of relevant items, plus 0.9, without its decimals.
-- A list that does not reach the recall level has the value 0.
-- formula: \max_{i \le k : h_i \ge \lfloor \rho |R| + 0.9 \rfloor} \frac{h_i}{i}
-- subject: rank
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- aliases: iprec, IPrec
-- source: Manning, Raghavan, Schütze (2008), Introduction to Information Retrieval, ch. 8. doi:10.1017/CBO9780511809071
SELECT CASE WHEN n_relevant > 0 THEN precision_from_recall END AS interpolated_precision
FROM metrics
