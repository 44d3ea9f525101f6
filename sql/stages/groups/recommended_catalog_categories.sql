-- recommended_catalog_categories: one row per recommendation of a catalogue item and category of the item.
SELECT recommended.list_id, recommended.rank, catalog_categories.category, catalog_categories.n_categories
FROM recommended
JOIN catalog_categories ON recommended.fold_id = catalog_categories.fold_id AND recommended.item = catalog_categories.item
