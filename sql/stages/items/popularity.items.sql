-- popularity: one row per fold and item, with its popularity from the items input. Items with popularity 0 are left out.
--
-- when: input items
SELECT fold_id, item, MAX(popularity) AS n_users
FROM items
WHERE item IS NOT NULL AND popularity > 0
GROUP BY fold_id, item
