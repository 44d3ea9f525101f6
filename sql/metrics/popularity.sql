-- popularity: mean popularity of the first k recommendations: the number of users who have the item in their history.
--
-- The items input may give the popularity instead. An item without a popularity has popularity 0.
-- formula: \frac{1}{n} \sum_{i=1}^{n} u_i
-- subject: popularity
-- undefined: the divisor is 0 (for example the length of an empty list).
-- better: neither
-- range: [0, inf); [0, 1] with unit=share
-- aliases: ARP, average_popularity
-- source: Abdollahpouri, Burke, Mobasher (2019), Managing popularity bias in recommender systems with personalized re-ranking. arXiv:1901.07555
SELECT $unit AS popularity
FROM metrics
