-- no_item_with_popularity: No recommended item has a popularity in the items.
--
-- Compare the ids of items, and the name of the popularity column.
--
-- n: the distinct recommended items.
-- needs: popularity
-- samples: recs recommended_items, items popularity
-- order: 28
-- say: No recommended item is in the items with a value in its popularity column. Recommendations have {recs}; the
--    items have {items}.
SELECT items_without_popularity AS n
FROM account
WHERE items_without_popularity >= items_recommended AND items_recommended > 0
