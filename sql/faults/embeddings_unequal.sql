-- embeddings_unequal: Some embeddings have fewer numbers than others, so they cannot be compared number by number.
--
-- All must have the same length. Were they made by two models?
--
-- n: the items with a shorter embedding.
-- needs: embedding
-- samples: items short_embeddings
-- order: 31
-- say: The embeddings of {n: item; items} have fewer numbers than the longest embedding, such as those of {items}.
--    All embeddings must have the same length, because they are compared number by number.
SELECT embeddings_unequal AS n
FROM account
WHERE embeddings_unequal > 0
