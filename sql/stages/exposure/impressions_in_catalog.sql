-- impressions_in_catalog: one row per recommendation of a catalogue item in a scored list.
SELECT impressions.list_id, impressions.item, impressions.rank
FROM impressions
JOIN catalog_items ON impressions.fold_id = catalog_items.fold_id AND impressions.item = catalog_items.item
