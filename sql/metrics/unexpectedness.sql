-- unexpectedness: share of the first k recommendations that are not among the first k of the baseline.
--
-- formula: 1 - \frac{|L_k \cap B_k|}{n}
-- subject: novelty
-- undefined: the list is empty, or has no baseline.
-- range: [0, 1]
-- source: Adamopoulos, Tuzhilin (2014), On unexpectedness in recommender systems. doi:10.1145/2559952
SELECT CASE WHEN n_recommended > 0 AND n_baseline > 0 THEN 1 - n_in_baseline / CAST($divisor AS DOUBLE) ELSE $alone END AS unexpectedness
FROM metrics
