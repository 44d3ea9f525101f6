-- long_tail: share of the first k recommendations that are items of the long tail.
--
-- formula: \frac{|L_k \cap T|}{n}
-- subject: popularity
-- undefined: the list is empty.
-- range: [0, 1]
-- aliases: APLT
-- source: Abdollahpouri, Burke, Mobasher (2019), Managing popularity bias in recommender systems with personalized re-ranking. arXiv:1901.07555
SELECT n_long_tail / CAST(NULLIF(n_recommended, 0) AS DOUBLE) AS long_tail
FROM metrics
