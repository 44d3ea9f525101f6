-- embedding_diversity: mean cosine distance of all pairs among the first k recommendations, by their embeddings.
--
-- It is computed from the length of the sum of the unit embeddings, without building pairs. An item without an embedding, or
-- with an embedding of length 0, is left out.
-- formula: \frac{2}{n_v (n_v - 1)} \sum_{i \lt j \le k} \left(1 - \cos(v_i, v_j)\right)
-- subject: diversity
-- undefined: fewer than two items have an embedding; with divisor=items, none.
-- range: [0, 2]; [0, inf) with divisor=items
-- source: Zhang, Hurley (2008), Avoiding monotony: improving the diversity of recommendation lists. doi:10.1145/1454008.1454030
SELECT $divisor AS embedding_diversity
FROM metrics
