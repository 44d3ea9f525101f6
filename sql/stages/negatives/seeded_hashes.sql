-- seeded_hashes: one row per truth list and item that may be drawn for it, with a hash of the seed, the list and the item.
--
-- The hash is MD5 of the text `seed:list columns:item`, in hexadecimal digits. It is the same on every engine, and it does not
-- depend on the system: all systems get the same negatives.
SELECT truth_id, item, MD5(CONCAT_WS(':', CAST($seed AS TEXT), CAST(truth_id AS TEXT), CAST(item AS TEXT))) AS hash
FROM drawable_items
