-- n_long_tail: number of distinct items of the long tail among the first k recommendations.
--
-- The head is the most popular items that together have the share `head` of all interactions. The long tail is all other
-- items with a popularity. A repeated item counts once.
-- formula: |L_k \cap T|
-- subject: popularity
-- range: [0, inf)
-- aliases: ACLT
-- source: Abdollahpouri, Burke, Mobasher (2019), Managing popularity bias in recommender systems with personalized re-ranking. arXiv:1901.07555
SELECT COUNT(CASE WHEN is_tail = 1 THEN 1 END) AS n_long_tail
FROM recommended_popularity_groups
WHERE rank <= $k
