-- no_item_in_catalog: No recommended item is in the catalog.
--
-- Compare the ids of items.
--
-- n: the distinct recommended items.
-- needs: catalog
-- samples: recs recommended_items, catalog catalog_row_counts
-- order: 30
-- say: No recommended item is in the catalog. Recommendations have {recs}; the catalog has {catalog}.
SELECT items_outside_catalog AS n
FROM account
WHERE items_outside_catalog >= items_recommended AND items_recommended > 0
