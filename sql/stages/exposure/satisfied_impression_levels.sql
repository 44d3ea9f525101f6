-- satisfied_impression_levels: one row per system and impression level of items that have at least as many impressions as if all items of the catalogue had the same number, rounded down, with the number of these items.
SELECT impression_level_totals.by_id, impression_level_totals.n_level_impressions / impression_level_totals.n_impressions AS n_items
FROM impression_level_totals
JOIN catalog_item_counts ON impression_level_totals.by_id = catalog_item_counts.by_id
WHERE impression_level_totals.n_impressions >= FLOOR(impression_level_totals.n_all_impressions / CAST(catalog_item_counts.n_items AS DOUBLE))
