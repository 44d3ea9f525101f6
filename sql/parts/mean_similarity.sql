-- mean_similarity: mean similarity of all pairs among the first k recommendations.
--
-- undefined: there are fewer than two recommendations.
-- range: (-inf, inf)
SELECT AVG(similarity) AS mean_similarity
FROM recommended_pairs
WHERE rank <= $k
