-- no_item_with_category: No recommended item has a category in the items.
--
-- Compare the ids of items, and the name of the category column.
--
-- n: the distinct recommended items.
-- needs: category
-- samples: recs recommended_items, items item_category_counts
-- order: 27
-- say: No recommended item is in the items with a value in its category column. Recommendations have {recs}; the
--    items have {items}.
SELECT items_without_category AS n
FROM account
WHERE items_without_category >= items_recommended AND items_recommended > 0
