-- item_propensities: one row per fold and item, with its propensity from the items input.
SELECT fold_id, item, MAX(propensity) AS propensity
FROM items
WHERE item IS NOT NULL
GROUP BY fold_id, item
