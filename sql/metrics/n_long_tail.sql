-- n_long_tail: recommended items of the long tail among the first k places.
--
-- The long tail: all known items but the most popular ones that have `head` of all interactions. An item repeated counts once.
-- range: [0, inf)
-- aliases: ACLT
-- source: Abdollahpouri, Burke, Mobasher (2019), Managing popularity bias in recommender systems with personalized re-ranking. arXiv:1901.07555
SELECT COUNT(CASE WHEN is_tail = 1 THEN 1 END) AS n_long_tail
FROM recommended_popularity_groups
WHERE rank <= $k
