-- unseen: share of the first k recommendations that are not in the history of the list.
--
-- formula: 1 - \frac{|L_k \cap H|}{n}
-- subject: novelty
-- undefined: the list is empty.
-- range: [0, 1]
-- source: Castells, Hurley, Vargas (2022), Novelty and diversity in recommender systems. doi:10.1007/978-1-0716-2197-4_16
SELECT CASE WHEN n_recommended > 0 THEN 1 - n_in_history / CAST($divisor AS DOUBLE) ELSE $alone END AS unseen
FROM metrics
