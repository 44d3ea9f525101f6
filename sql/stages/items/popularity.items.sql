-- popularity: how many users know each item, by what is said of the items; an item known by nobody is left out. In each fold anew.
--
-- when: input items
SELECT fold_id, item, MAX(popularity) AS n_users
FROM items
WHERE item IS NOT NULL AND popularity > 0
GROUP BY fold_id, item
