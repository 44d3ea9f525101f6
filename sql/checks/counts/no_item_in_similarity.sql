-- no_item_in_similarity: No recommended item is in the similarity table.
--
-- Compare the ids of items.
--
-- n: the distinct recommended items.
-- needs: similarity
-- samples: recs recommended_items, similarity items_compared_first
-- order: 29
-- say: No recommended item is in the similarity. Recommendations have {recs}; the similarity has {similarity}.
SELECT items_without_similarity AS n
FROM account
WHERE items_without_similarity >= items_recommended AND items_recommended > 0
