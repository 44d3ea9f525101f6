-- sorted_hashes: one row per recommendation, with the hash of its list and its item, sorted.
SELECT HASH(list_id, item) AS row_hash
FROM recs
WHERE list_id IS NOT NULL
ORDER BY HASH(recs.list_id, recs.item)
