-- no_item_with_embedding: No recommended item has an embedding in the items.
--
-- Compare the ids of items, and the name of the embedding column.
--
-- n: the distinct recommended items.
-- needs: embedding
-- samples: recs recommended_items, items embedding_sizes
-- order: 32
-- say: No recommended item is in the items with a value in its embedding column. Recommendations have {recs}; the
--    items have {items}.
SELECT items_without_embedding AS n
FROM account
WHERE items_without_embedding >= items_recommended AND items_recommended > 0
