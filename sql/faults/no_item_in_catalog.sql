-- no_item_in_catalog: No recommended item is in the catalog.
--
-- Compare the ids of items.
--
-- n: the distinct recommended items.
-- needs: catalog
-- samples: recs recommended_items, catalog catalog_row_counts
SELECT items_outside_catalog AS n
FROM account
WHERE items_outside_catalog >= items_recommended AND items_recommended > 0
