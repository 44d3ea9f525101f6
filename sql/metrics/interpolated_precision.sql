-- interpolated_precision: interpolated precision at a recall level: the highest precision at the rank of a hit at which the recall is `at_recall` or more.
--
-- With R relevant items, a hit reaches the recall level if its hit number is at least at_recall * R + 0.9, rounded down.
-- A list that does not reach the recall level has the value 0.
-- formula: \max_{i \le k : h_i \ge \lfloor \rho |R| + 0.9 \rfloor} \frac{h_i}{i}
-- subject: rank
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- aliases: iprec, IPrec
-- source: Manning, Raghavan, Schütze (2008), Introduction to Information Retrieval, ch. 8. doi:10.1017/CBO9780511809071
SELECT CASE WHEN n_relevant > 0 THEN precision_from_recall END AS interpolated_precision
FROM metrics
